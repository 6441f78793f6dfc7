import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Parse, Parsed } from "../contract/tool.ts";

/** Turns a Standard Schema into the contract's parse function. */
export function toParse<Value>(schema: StandardSchemaV1<unknown, Value>): Parse<Value> {
  return (value) => {
    const result = schema["~standard"].validate(value);
    // A promise of another realm or library is no `Promise` of ours; taken for a result it would admit everything.
    return isPromised(result) ? Promise.resolve(result).then(toParsed) : toParsed(result);
  };
}

function isPromised<Value>(result: Value | Promise<Value>): result is Promise<Value> {
  return typeof result === "object" && result !== null && "then" in result && typeof result.then === "function";
}

function toParsed<Value>(result: StandardSchemaV1.Result<Value>): Parsed<Value> {
  if (result.issues === undefined) return { value: result.value };
  return { issues: result.issues.map(({ message, path }) => ({ message, path: path?.map(toKey) ?? [] })) };
}

function toKey(segment: PropertyKey | StandardSchemaV1.PathSegment): PropertyKey {
  return typeof segment === "object" ? segment.key : segment;
}
