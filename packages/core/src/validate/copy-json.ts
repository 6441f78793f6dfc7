import type { Json } from "../contract/json.ts";

/** Copies bounded arguments, so that whoever is given the copy may write to it. */
export function copyJson<Value extends Json>(value: Value): Value;
export function copyJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item) => copyJson(item));
  const copy: { [name: string]: Json } = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined) copy[name] = copyJson(member);
  }
  return copy;
}

/** `Array.isArray` does not tell a read-only list from an object. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
