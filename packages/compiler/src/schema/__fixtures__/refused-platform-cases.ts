import type { RefusedCase } from "./schema-case.ts";

/** Types that every program has, and part of what is advised instead. */
const INSTEAD: readonly (readonly [type: string, fix: string])[] = [
  ["Map<string, number>", "Record<string, T>"],
  ["ReadonlyMap<string, number>", "Record<string, T>"],
  ["Set<string>", "T[] with @uniqueItems"],
  ["ReadonlySet<string>", "T[]"],
  ["WeakMap<object, string>", "Record<string, T>"],
  ["WeakSet<object>", "T[]"],
  ["URL", "@format uri"],
  ["RegExp", "@format regex"],
  ["Uint8Array", "base64"],
  ["Float64Array", "base64"],
  ["ArrayBuffer", "base64"],
  ["Buffer", "base64"],
  ["Blob", "base64"],
  ["File", "path"],
  ["Promise<string>", "Await"],
  ["Error", "{ code: string"],
  ["TypeError", "{ code: string"],
  ["ReadableStream", "T[]"],
  ["NodeJS.ReadableStream", "T[]"],
  ["AbortSignal", "ToolContext"],
  ["AbortController", "ToolContext"],
  ["Iterable<string>", "T[]"],
  ["AsyncIterable<string>", "T[]"],
  ["AsyncGenerator<string>", "T[]"],
  ["Headers", "Record<string, string>"],
  ["FormData", "Record<string, string>"],
  ["Request", "@format uri"],
  ["Response", "interface"],
  ["HTMLElement", "interface of the data"],
  ["Document", "interface of the data"],
  ["Intl.NumberFormat", "interface of the data"],
  ["String", "lower case"],
  ["Number", "lower case"],
  ["Boolean", "lower case"],
  ["Object", "interface"],
  ["Function", "data"],
  ["Symbol", "string"],
  ["WeakRef<object>", "refers to"],
];

export const REFUSED_PLATFORM_CASES: readonly RefusedCase[] = INSTEAD.flatMap(([type, fix]) => {
  const refused = { type: `{ value: ${type} }`, code: "type_unsupported", at: "value: ", says: "value is ", fix };
  return [
    { ...refused, name: type },
    { ...refused, name: `${type} as output`, direction: "output" as const },
  ];
});
