import { STRONG_ETAG_BYTES } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { charsetOfMark, findCharset, isFaithful, startsWithMark, UTF_8, type Charset } from "./charset.ts";
import { HEAD_BYTES, judgeHead, type HeadVerdict } from "./content-kind.ts";
import type { TextBytes } from "./find-newlines.ts";
import { guessCharsets } from "./guess-charset.ts";
import { isFaithfulThroughout, surveyText, type TextSurvey } from "./survey-text.ts";

/** A text, how it is encoded, and what is known of its lines. */
export interface DetectedText extends TextBytes {
  readonly kind: "text" | "notebook";
  readonly hasMark: boolean;
  /** Some bytes are no text of the encoding; decoding loses them. */
  readonly isLossy: boolean;
  /** Absent above 20 MiB, where not every byte is looked at. */
  readonly survey?: TextSurvey;
}

/** A file that is no text. */
export type DetectedOther = Exclude<HeadVerdict, { readonly kind: "text" }>;

/** What a file holds. */
export type Detected = DetectedText | DetectedOther;

/** Whether a file was found to be text. */
export function isText(detected: Detected): detected is DetectedText {
  return "charset" in detected;
}

/**
 * Tells what bytes hold and how text is encoded: mark, then strict UTF-8, then UTF-16 by the side of its zeros, then a detector that
 * is believed only if encoding what it decodes gives the same bytes.
 */
export async function detectText(source: ByteSource): Promise<Detected> {
  const head = Buffer.from(await source.read(0, HEAD_BYTES));
  const verdict = await judgeHead(head, source.size);
  if (verdict.kind !== "text") return verdict;
  const charset = verdict.charset ?? UTF_8;
  const text = toText(source, charset, head);
  const detected = source.size > STRONG_ETAG_BYTES ? await detectLarge(text) : await detectWhole(text);
  return (await isNotebook(text, head)) ? { ...detected, kind: "notebook" } : detected;
}

/**
 * Takes bytes for text of a named encoding.
 * @throws ToolError `invalid_input` for a label that names no encoding.
 */
export async function detectTextAs(source: ByteSource, label: string): Promise<DetectedText> {
  const head = Buffer.from(await source.read(0, HEAD_BYTES));
  const text = toText(source, requireCharset(label, head), head);
  if (source.size <= STRONG_ETAG_BYTES) {
    const survey = await surveyText(text);
    return { ...text, isLossy: !survey.isFaithful, survey };
  }
  return { ...text, isLossy: false };
}

/**
 * Finds the encoding a label names; `utf-16` and `utf-32` follow the mark of `head`.
 * @throws ToolError `invalid_input` when there is none of that name.
 */
export function requireCharset(label: string, head?: Uint8Array): Charset {
  const named = findCharset(label);
  if (named === undefined) {
    throw filesystemError(
      "invalid_input",
      `encoding: expected the label of an encoding, received ${JSON.stringify(label.slice(0, 60))}`,
      {
        suggestion: 'Use a label such as "utf-8", "utf-16le", "windows-1252", "gb18030" or "shift_jis".',
      },
    );
  }
  const marked = head && charsetOfMark(head);
  const isOpen = /^(?:utf-?16|ucs-?2|utf-?32)$/iu.test(label);
  return isOpen && marked?.unit === named.unit ? marked : named;
}

function toText(
  source: ByteSource,
  charset: Charset,
  head: Uint8Array,
): TextBytes & { readonly kind: "text"; readonly hasMark: boolean } {
  const hasMark = startsWithMark(head, charset);
  return { kind: "text", source, charset, hasMark, start: hasMark ? charset.mark.length : 0 };
}

async function detectWhole(text: ReturnType<typeof toText>): Promise<DetectedText> {
  const survey = await surveyText(text);
  if (survey.isFaithful || text.charset !== UTF_8) return { ...text, isLossy: !survey.isFaithful, survey };
  if (!text.hasMark) {
    for (const charset of guessCharsets(await sampleFrom(text.source, survey.firstHigh))) {
      if (await isFaithfulThroughout(text, charset)) return { ...text, charset, isLossy: false, survey };
    }
  }
  return { ...text, isLossy: true, survey };
}

/** Large files are judged by their first blocks; lines that do not fit are told when they are shown. */
async function detectLarge(text: ReturnType<typeof toText>): Promise<DetectedText> {
  const sample = await sampleFrom(text.source, 0);
  const isUnicode =
    text.charset !== UTF_8 ||
    text.hasMark ||
    [0, 1, 2, 3].some((cut) => isFaithful(UTF_8, sample.subarray(0, sample.length - cut)));
  const charset = isUnicode ? text.charset : (guessCharsets(sample)[0] ?? text.charset);
  return { ...text, charset, isLossy: false };
}

const SAMPLE_BYTES = 64 * 1024;

/** Bytes around the first that are not ASCII, from the beginning of a line where one is near. */
async function sampleFrom(source: ByteSource, firstHigh: number): Promise<Buffer> {
  const from = Math.max(0, firstHigh - 512);
  const block = Buffer.from(await source.read(from, SAMPLE_BYTES));
  const line = from === 0 ? 0 : block.subarray(0, firstHigh - from).lastIndexOf(0x0a) + 1;
  return block.subarray(line);
}

/** A notebook is JSON whose first key is one of the format's and whose end names the format. */
async function isNotebook({ source, charset }: TextBytes, head: Buffer): Promise<boolean> {
  if (
    charset !== UTF_8 ||
    !/^\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:/u.test(head.toString("latin1", 0, 512))
  )
    return false;
  const tail = await source.read(Math.max(0, source.size - HEAD_BYTES), HEAD_BYTES);
  return NOTEBOOK.test(head.toString("latin1")) || NOTEBOOK.test(tail.toString("latin1"));
}

const NOTEBOOK = /"nbformat"\s*:\s*\d/u;
