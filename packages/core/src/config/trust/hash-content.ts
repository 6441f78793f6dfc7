import { createHash } from "node:crypto";
import { toCanonicalJson } from "../../schema/canonical-json.ts";

/** Gives `sha256-` and the hexadecimal SHA-256 of a value's canonical JSON. */
export function hashContent(value: unknown): string {
  return `sha256-${createHash("sha256").update(toCanonicalJson(value)).digest("hex")}`;
}
