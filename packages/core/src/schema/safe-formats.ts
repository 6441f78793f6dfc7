import type { Format } from "ajv";

/** Texts longer than this are of no format whose check is not plainly linear. */
const MAX_CHECKED_LENGTH = 8192;

/** Formats that admit every text, or long ones by their nature. */
const UNBOUNDED = new Set(["binary", "password", "byte", "int32", "int64", "float", "double"]);

/** Bounds what the format checks of the library cost, whatever text arrives (SEC-VAL-4). */
export function toSafeFormat(name: string, format: Format): Format {
  if (name === "url") return isWebUrl;
  if (UNBOUNDED.has(name)) return format;
  if (format instanceof RegExp) return (text: string) => text.length <= MAX_CHECKED_LENGTH && format.test(text);
  if (typeof format === "function") return (text: string) => text.length <= MAX_CHECKED_LENGTH && format(text);
  if (typeof format !== "object" || typeof format.validate !== "function") return format;
  const validate = format.validate as (text: string) => boolean;
  return (text: string) => text.length <= MAX_CHECKED_LENGTH && validate(text);
}

/** The library's own expression for `url` takes cubic time. */
function isWebUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}
