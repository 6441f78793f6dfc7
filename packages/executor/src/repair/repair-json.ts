import { isRecord } from "../call/is-record.ts";
import { keepsMeaning } from "./keeps-meaning.ts";
import { scanLenientJson, type LenientToken } from "./scan-lenient-json.ts";

/** Arguments read from a text that is not JSON. */
export interface RepairedJson {
  readonly kind: "json_syntax" | "code_fence";
  readonly value: unknown;
}

/** Characters of a text that is looked into; what is longer is no slip of a model. */
const MAX_LENGTH = 256 * 1024;

/**
 * Reads a text that is nearly one JSON object: comments, trailing or missing commas, single quotes, bare names, Python's
 * words, a code fence. Undefined for every text that was cut off, that can be read in two ways, or whose names and values
 * would not come out as they stand in it.
 */
export async function repairJson(text: string): Promise<RepairedJson | undefined> {
  if (text.length > MAX_LENGTH) return undefined;
  const fenced = takeFenced(text.trim());
  const strict = fenced === undefined ? undefined : parseObject(fenced);
  if (strict !== undefined) return { kind: "code_fence", value: strict };
  const given = fenced ?? text;
  const tokens = scanLenientJson(given);
  if (tokens === undefined || !keepsMeaning(tokens)) return undefined;
  const { jsonrepair } = await import("jsonrepair");
  const repaired = rewrite(jsonrepair, given);
  const value = parseObject(repaired);
  if (value === undefined || !isFaithful(scanLenientJson(repaired) ?? [], tokens)) return undefined;
  return { kind: "json_syntax", value };
}

/** What stands in a text that is one fenced block. */
function takeFenced(text: string): string | undefined {
  const [first, last] = [text.indexOf("\n"), text.lastIndexOf("```")];
  if (first < 0 || last <= first || last + 3 !== text.length) return undefined;
  return /^```(?:json)?\s*$/iu.test(text.slice(0, first).trimEnd()) ? text.slice(first + 1, last) : undefined;
}

function rewrite(repair: (text: string) => string, text: string): string {
  try {
    return repair(text);
  } catch {
    return "";
  }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What other languages call what JSON calls otherwise. */
const SAME_WORDS: ReadonlyMap<string, string> = new Map([
  ["None", "null"],
  ["True", "true"],
  ["False", "false"],
]);

/** What can only be meant as a text: neither a number in another spelling, nor a word that stands for something. */
const PLAIN_WORD = /^(?!(?:true|false|null|none|nil|undefined|nan|infinity)$)[A-Z_$][\w$.-]*$/i;

/** True when nothing came, went, moved or changed but commas, quotes and comments. */
function isFaithful(repaired: readonly LenientToken[], given: readonly LenientToken[]): boolean {
  return (
    repaired.length === given.length &&
    repaired.every((token, index) => {
      const source = given[index];
      if (source === undefined) return false;
      if (token.kind === source.kind && token.text === source.text) return true;
      if (source.kind !== "word") return false;
      if (token.kind === "word") return token.text === SAME_WORDS.get(source.text);
      const isName = given[index + 1]?.text === ":" && given[index + 1]?.kind === "sign";
      return token.text === source.text && (isName || PLAIN_WORD.test(source.text));
    })
  );
}
