import { TAG } from "./encode-value.ts";

/** Gives back what was encoded. A mark that nobody writes means undefined: whoever sends it is not believed more. */
export function decodeValue(encoded: unknown): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (Array.isArray(encoded)) return encoded.map(decodeValue);
  return Object.hasOwn(encoded, TAG)
    ? decodeTagged((encoded as { [TAG]: unknown })[TAG])
    : toObject(Object.entries(encoded));
}

function decodeTagged(parts: unknown): unknown {
  if (!Array.isArray(parts)) return undefined;
  const [kind, content]: readonly unknown[] = parts;
  if (kind === "object" && Array.isArray(content)) return toObject(content.filter(isMember));
  if (kind === "date") return new Date(typeof content === "number" ? content : Number.NaN);
  if (typeof content !== "string") return undefined;
  switch (kind) {
    case "number":
      return Number(content);
    case "bigint":
      return /^-?\d+$/u.test(content) ? BigInt(content) : undefined;
    case "buffer":
      return Buffer.from(content, "base64");
    case "bytes":
      return new Uint8Array(Buffer.from(content, "base64"));
    default:
      return undefined;
  }
}

function isMember(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && typeof value[0] === "string";
}

/** Own members whatever their names are: `__proto__` is a name (SEC-VAL-5). */
function toObject(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members.map(([key, value]) => [key, decodeValue(value)]));
}
