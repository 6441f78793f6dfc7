import type { Json } from "../../contract/json.ts";
import { typeOfJson } from "../../schema/subschemas.ts";
import { nameLikeness } from "./name-likeness.ts";

/** Characters of a text that is read as JSON. */
const MAX_LENGTH = 256 * 1024;

const NUMBER = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i;

/** True for a value that one of the types admits; no types admit all. */
export function isOfType(types: readonly string[], value: Json): boolean {
  const type = typeOfJson(value);
  return types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
}

/** Gives the other forms in which a value may have been meant where these types are wanted by a member of this name, the surest first. */
export function otherForms(types: readonly string[], value: Json, name: string): Json[] {
  const forms = [...readAs(types, value), ...unwrap(types, value, name)];
  // What is absent is no item.
  if (types.includes("array") && !isList(value) && value !== null && value !== "") forms.push([value]);
  return forms.filter((form) => isOfType(types, form));
}

function readAs(types: readonly string[], value: Json): Json[] {
  if (typeof value === "string") return readText(types, value);
  return typeof value === "number" ? [Math.round(value), String(value)] : [];
}

/** The value of a list that has but one, or of an object whose only member is named as what holds it: `"a"` of `{"path":"a"}`. */
function unwrap(types: readonly string[], value: Json, name: string): Json[] {
  if (typeof value !== "object" || value === null || types.includes(typeOfJson(value))) return [];
  const members: [string, Json][] = Object.entries(value);
  const [[key, only] = ["", null], ...others] = members;
  const isMeant = isList(value) || key === "value" || nameLikeness(key, name) > 0;
  return members.length > 0 && others.length === 0 && isMeant ? [only] : [];
}

/** `Array.isArray` does not tell a read-only list from an object. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** What a text says as JSON. */
function readText(types: readonly string[], text: string): Json[] {
  if (text.length > MAX_LENGTH) return [];
  const trimmed = text.trim();
  if (/^(?:true|false)$/i.test(trimmed)) return [trimmed.toLowerCase() === "true"];
  if (/^null$/i.test(trimmed)) return [null];
  if (NUMBER.test(trimmed)) return keepsDigits(trimmed) ? [Number(trimmed)] : [];
  if (!/^[[{]/.test(trimmed) || !(types.includes("array") || types.includes("object"))) return [];
  try {
    return [JSON.parse(trimmed) as Json];
  } catch {
    return [];
  }
}

function keepsDigits(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}
