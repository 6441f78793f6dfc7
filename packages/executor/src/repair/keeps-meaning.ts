import { scanLenientJson, type LenientToken } from "./scan-lenient-json.ts";

const NUMBER = /^-?(?<whole>\d+)(?:\.(?<part>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** True when no object has a name twice, of which one value would vanish, and every number comes out with all its digits. */
export function keepsMeaning(tokens: readonly LenientToken[]): boolean {
  return !hasTwins(tokens) && tokens.every(({ kind, text }) => kind !== "word" || keepsDigits(text));
}

/** The same for any JSON, which need not be an object. */
export function isPlainJson(text: string): boolean {
  const tokens = scanLenientJson(`{"":${text}\n}`);
  return tokens !== undefined && keepsMeaning(tokens);
}

function hasTwins(tokens: readonly LenientToken[]): boolean {
  const open: Set<string>[] = [];
  return tokens.some(({ kind, text }, index) => {
    if (kind === "sign") {
      // Lists are counted too: what opens closes.
      if (text === "{" || text === "[") open.push(new Set());
      else if (text !== ":") open.pop();
      return false;
    }
    const following = tokens[index + 1];
    if (following?.kind !== "sign" || following.text !== ":") return false;
    const names = open.at(-1);
    const known = names?.has(text) === true;
    names?.add(text);
    return known;
  });
}

function keepsDigits(text: string): boolean {
  if (!NUMBER.test(text)) return true;
  return toDigits(text) === toDigits(String(Number(text)));
}

/** A number's digits and where they stand, however it is written. */
function toDigits(text: string): string {
  const { whole = "", part = "", exponent = "0" } = NUMBER.exec(text)?.groups ?? {};
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  return short === "" ? "0" : `${short} ${digits.length - short.length + Number(exponent) - part.length}`;
}
