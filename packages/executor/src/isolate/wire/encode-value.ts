/** Marks what JSON has no word for; an object of the author's own that has this member is marked too. */
export const TAG = "$aiw";

/** Members that nest deeper are no value anybody reads. */
const MAX_DEPTH = 1000;

/**
 * Turns a value into JSON that {@link decodeValue} turns back: what JSON says, and undefined, odd numbers, bigints, dates and bytes.
 * Everything else becomes what JSON makes of it.
 * @throws TypeError for a circle or what nests too deeply; whatever a getter or `toJSON` throws.
 */
export function encodeValue(value: unknown): unknown {
  return orUndefined(encode(value, []));
}

/** Undefined for what an object leaves out. */
function encode(value: unknown, parents: readonly object[]): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : tag("number", Object.is(value, -0) ? "-0" : String(value));
    case "bigint":
      return tag("bigint", String(value));
    case "object":
      return value === null ? null : encodeObject(value, parents);
    case "undefined":
    case "function":
    case "symbol":
      return undefined;
  }
}

function encodeObject(value: object, parents: readonly object[]): unknown {
  if (value instanceof Date) return tag("date", value.getTime());
  if (Buffer.isBuffer(value)) return tag("buffer", value.toString("base64"));
  if (value instanceof Uint8Array)
    return tag("bytes", Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64"));
  if (parents.includes(value)) throw new TypeError("The value contains itself.");
  if (parents.length >= MAX_DEPTH) throw new TypeError("The value nests too deeply.");
  const inner = [...parents, value];
  if ("toJSON" in value && typeof value.toJSON === "function") return encode(value.toJSON(), inner);
  if (Array.isArray(value)) return Array.from(value, (item) => orUndefined(encode(item, inner)));
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const encoded = member === undefined ? tag("undefined") : encode(member, inner);
    return encoded === undefined ? [] : [[key, encoded]];
  });
  return members.some(([key]) => key === TAG) ? tag("object", members) : Object.fromEntries(members);
}

/** Where nothing may be left out. */
function orUndefined(encoded: unknown): unknown {
  return encoded === undefined ? tag("undefined") : encoded;
}

function tag(...parts: readonly unknown[]): unknown {
  return { [TAG]: parts };
}
