import { memorySource } from "../text/byte-source.ts";
import { decodeBytes, encodeText, isFaithful, type Charset } from "../text/charset.ts";
import { detectText, isText, type Detected, type DetectedText } from "../text/detect-text.ts";
import { convertEndings, countEndings } from "../text/line-endings.ts";
import { nameEnding } from "../text/survey-text.ts";
import { mergeLines, type LineSpan } from "./merge-lines.ts";

/** Three contents of a file. */
export interface Contents {
  /** What both others came from. */
  readonly base: Uint8Array;
  /** What stands there. */
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/** What became of a merge. */
export type MergeVerdict =
  | { readonly merged: Uint8Array }
  /** Why there is none; the lines are those of `ours` where both sides changed the same. */
  | { readonly merged?: undefined; readonly reason: string; readonly clashes?: readonly LineSpan[] };

const MOST_BYTES = 5 * 1024 * 1024;

/** Three facts of one kind, in the order of `Contents`. */
type Three<Value> = readonly [base: Value, ours: Value, theirs: Value];

/** Makes the changes of both sides, by whole lines; encoding, mark and line endings follow the side that changed them. */
export async function mergeContents({ base, ours, theirs }: Contents): Promise<MergeVerdict> {
  const bytes: Three<Uint8Array> = [base, ours, theirs];
  if (bytes.some(({ length }) => length > MOST_BYTES)) return { reason: "it is too large to be merged" };
  const [one, two, three] = await Promise.all(bytes.map(async (content) => await detectText(memorySource(content))));
  if (!isTextual(one) || !isTextual(two) || !isTextual(three)) return { reason: "binary files are not merged" };
  const found = readTexts(bytes, [one, two, three]);
  return typeof found === "string" ? { reason: found } : mergeTexts(found);
}

/** Texts without their marks, and what the merged one is written with. */
interface Readable {
  readonly texts: Three<string>;
  readonly charset: Charset;
  readonly hasMark: boolean;
}

function readTexts(bytes: Three<Uint8Array>, found: Three<DetectedText>): Readable | string {
  const shared = findShared(bytes, found);
  const charsets = mapThree(found, ({ charset }) => shared ?? charset);
  if (shared === undefined && found.some(({ isLossy }) => isLossy)) return "its encoding is not known";
  const label = agree(mapThree(charsets, (charset) => charset.label));
  const charset = charsets.find((one) => one.label === label);
  const hasMark = agree(mapThree(found, (text) => text.hasMark));
  if (charset === undefined || hasMark === undefined) return "its encoding was changed twice";
  const texts = mapThree([0, 1, 2] as const, (index) =>
    decodeBytes(charsets[index], bytes[index].subarray(found[index].start)),
  );
  return { texts, charset, hasMark };
}

/** An old encoding is a guess that may differ by version; any that gives all bytes back serves as well as another. */
function findShared(bytes: Three<Uint8Array>, found: Three<DetectedText>): Charset | undefined {
  if (found.some(({ charset, hasMark }) => hasMark || charset.unit > 1)) return undefined;
  const candidates = found.map(({ charset }) => charset).filter(({ mark }) => mark.length === 0);
  return candidates.find((charset) => bytes.every((content) => isFaithful(charset, content)));
}

function mergeTexts({ texts, charset, hasMark }: Readable): MergeVerdict {
  const endings = mapThree(texts, (text) => nameEnding(countEndings(text)));
  const ending = agree(endings);
  const isPlain = ending !== undefined && ending !== "mixed" && !endings.includes("mixed");
  // Where a side changed how all lines end, no line is as it was.
  const isConverted = isPlain && new Set(endings).size > 1;
  const [base, ours, theirs] = mapThree(texts, (text) => toLines(isConverted ? convertEndings(text, "lf") : text));
  const merged = mergeLines({ base, ours, theirs });
  if (merged === undefined) return { reason: "comparing the versions takes too long" };
  if (merged.clashes !== undefined)
    return { reason: "both changed the same lines, or lines that touch", clashes: merged.clashes };
  const joined = merged.lines.join("");
  const text = isConverted && ending === "crlf" ? convertEndings(joined, "crlf") : joined;
  const bytes = encodeText(charset, text);
  if (bytes === undefined) return { reason: `${charset.label} cannot express the merged text` };
  return { merged: hasMark ? Buffer.concat([charset.mark, bytes]) : bytes };
}

/** Lines with what ends them. */
function toLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/u);
}

/** The value of the side that changed it; `undefined` when both did, differently. */
function agree<Value>([base, ours, theirs]: Three<Value>): Value | undefined {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : undefined;
}

function mapThree<From, To>([base, ours, theirs]: Three<From>, map: (value: From) => To): Three<To> {
  return [map(base), map(ours), map(theirs)];
}

function isTextual(found: Detected | undefined): found is DetectedText {
  return found !== undefined && isText(found);
}
