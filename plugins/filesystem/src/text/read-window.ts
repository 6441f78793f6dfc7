import type { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { readBlocks } from "./byte-source.ts";
import type { DetectedText } from "./detect-text.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { jsonTextSize } from "../result/json-size.ts";
import { afterNewline } from "./after-newline.ts";
import { countLines, findLastLines, findLine } from "./find-newlines.ts";
import { markCut, numberLine } from "./number-lines.ts";
import { readLines, type TextLine } from "./read-lines.ts";
import { nameEnding, type LineEnding } from "./survey-text.ts";

/** Which lines are wanted, and what they may cost. */
export interface WindowRequest {
  /** First line, from 1; negative counts from the end. */
  readonly offset: number;
  /** Lines; 0 is all. */
  readonly limit: number;
  readonly maxTokens: number;
  /** What the lines may take as JSON. */
  readonly maxCharacters: number;
  /** Gives one line even if it costs more than there is. */
  readonly atLeastOne: boolean;
  readonly lineNumbers: boolean;
  /** The path as the model writes it, for the working call of an error. */
  readonly shown: string;
  /** The encoding that was named, which reading on must name again. */
  readonly encoding?: string;
}

/** Why a window ends before the file does, or shows less than a line. */
export type WindowLimit = "lines" | "tokens" | "characters" | "bytes" | "line_length";

/** Lines of a text. */
export interface LineWindow {
  readonly lines: readonly string[];
  /** From 1, or from -1 backwards when the lines before were not counted. */
  readonly startLine: number;
  /** One less than `startLine` when nothing is shown. */
  readonly endLine: number;
  readonly totalLines: number;
  /** False when there are at least `totalLines`. */
  readonly isTotalExact: boolean;
  readonly truncatedBy?: WindowLimit;
  readonly nextOffset?: number;
  readonly ending: LineEnding;
  readonly isLossy: boolean;
  /** First and last numbers of lines shown whole. */
  readonly whole: readonly (readonly [number, number])[];
  readonly tokens: number;
}

const LINES_PAST_WINDOW = 50_000;
const BYTES_PAST_WINDOW = 16 * 1024 * 1024;
const MOST_WINDOW_BYTES = 64 * 1024 * 1024;

/**
 * Reads lines of a text of any size; memory holds the window and one block.
 * @throws ToolError `offset_out_of_range`, with an offset that works.
 */
export async function readWindow(text: DetectedText, request: WindowRequest): Promise<LineWindow> {
  const start = await findStart(text, request);
  if (start === undefined) return EMPTY;
  const taken = await takeLines(text, start, request);
  const endLine = start.line + taken.lines.length - 1;
  const isEnd = taken.end >= text.source.size;
  const total = await countTotal(text, { startLine: start.line, endLine, position: taken.end, isEnd });
  const truncatedBy = taken.limit ?? (taken.hasCut ? "line_length" : undefined);
  return {
    lines: taken.lines,
    startLine: start.line,
    endLine,
    ...total,
    ...(truncatedBy !== undefined && { truncatedBy }),
    ...(!isEnd && { nextOffset: endLine + 1 }),
    ending: nameEnding(text.survey?.endings ?? taken.endings),
    isLossy: text.isLossy || taken.isLossy,
    whole: taken.whole,
    tokens: taken.tokens,
  };
}

const EMPTY: LineWindow = {
  lines: [],
  startLine: 1,
  endLine: 0,
  totalLines: 0,
  isTotalExact: true,
  ending: "lf",
  isLossy: false,
  whole: [],
  tokens: 0,
};

interface WindowStart {
  readonly line: number;
  readonly position: number;
}

async function findStart(text: DetectedText, { offset, shown }: WindowRequest): Promise<WindowStart | undefined> {
  if (offset < 0) return await findTail(text, -offset);
  const lines = text.survey?.lines;
  if (lines !== undefined && offset > Math.max(1, lines)) throw outOfRange(lines, shown);
  const found = await findLine(text, offset);
  if ("position" in found) return found;
  if (found.lines === 0 && offset === 1) return undefined;
  throw outOfRange(found.lines, shown);
}

/** A tail is numbered from the beginning where the lines are known, else from the end. */
async function findTail(text: DetectedText, count: number): Promise<WindowStart | undefined> {
  const { position, lines } = await findLastLines(text, count);
  if (lines === 0) return undefined;
  if (position === text.start) return { position, line: 1 };
  return { position, line: text.survey === undefined ? -lines : text.survey.lines - lines + 1 };
}

function outOfRange(lines: number, shown: string): ToolError {
  const counted = lines === 0 ? "The file is empty" : `The file has ${lines} ${lines === 1 ? "line" : "lines"}`;
  return filesystemError("offset_out_of_range", `${counted}: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}], offset=${Math.max(1, lines - 49)})`,
    details: { total_lines: lines },
  });
}

/** Lines taken so far; grows while they are read. */
interface TakenLines {
  readonly lines: string[];
  readonly whole: [number, number][];
  readonly endings: { lf: number; crlf: number };
  /** Where the next line begins. */
  end: number;
  limit?: WindowLimit;
  hasCut: boolean;
  isLossy: boolean;
  tokens: number;
  characters: number;
}

async function takeLines(text: DetectedText, start: WindowStart, request: WindowRequest): Promise<TakenLines> {
  const most = request.limit === 0 ? Number.POSITIVE_INFINITY : request.limit;
  const { position } = start;
  const taken: TakenLines = {
    lines: [],
    whole: [],
    endings: { lf: 0, crlf: 0 },
    end: position,
    hasCut: false,
    isLossy: false,
    tokens: 0,
    characters: 0,
  };
  for await (const whole of readLines(text, position, MOST_WINDOW_BYTES)) {
    const number = start.line + taken.lines.length;
    const isFree = request.atLeastOne && taken.lines.length === 0;
    const line = isFree ? cutToFit(whole, number, request) : whole;
    const shown = show(line, number, request);
    const cost = { tokens: taken.tokens + estimateTokens(shown), characters: taken.characters + sizeOfRow(shown) };
    const limit = isFree ? undefined : limitOf(line, cost, request);
    if (limit !== undefined) return { ...taken, limit };
    takeLine(taken, line, number);
    taken.lines.push(shown);
    Object.assign(taken, cost);
    if (line.isOpen === true) return { ...taken, limit: "bytes", end: await findEnd(text, line.end) };
    // The next line is not looked for where it cannot be taken: it may be endless.
    if (taken.lines.length >= most) break;
  }
  return taken.end < text.source.size ? { ...taken, limit: "lines" } : taken;
}

function limitOf(
  line: TextLine,
  { tokens, characters }: Pick<TakenLines, "tokens" | "characters">,
  { maxTokens, maxCharacters }: WindowRequest,
): WindowLimit | undefined {
  if (tokens > maxTokens) return "tokens";
  if (characters > maxCharacters) return "characters";
  return line.isOpen === true ? "bytes" : undefined;
}

/** What a line takes in a JSON string, with the line feed before it. */
function sizeOfRow(shown: string): number {
  return jsonTextSize(`\n${shown}`);
}

/** The longest beginning of a line that fits, where the whole does not. */
function cutToFit(line: TextLine, number: number, request: WindowRequest): TextLine {
  const cutAt = (length: number): TextLine => {
    const text = line.text.slice(0, length);
    return { ...line, text: text.isWellFormed() ? text : text.slice(0, -1), omitted: line.omitted + 1 };
  };
  const fits = (one: TextLine): boolean => sizeOfRow(show(one, number, request)) <= request.maxCharacters;
  if (fits(line)) return line;
  let [least, most] = [0, line.text.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(cutAt(middle))) least = middle;
    else most = middle - 1;
  }
  const { text } = cutAt(least);
  return { ...line, text, omitted: line.omitted + line.text.length - text.length };
}

/** Where an endless line ends is found without decoding it. */
async function findEnd(text: DetectedText, position: number): Promise<number> {
  let at = position;
  for await (const block of readBlocks(text.source, position)) {
    const end = afterNewline(block, 0, text.charset);
    if (end !== -1) return at + end;
    at += block.length;
  }
  return at;
}

function takeLine(taken: TakenLines, { end, omitted, isLossy, endsWith }: TextLine, number: number): void {
  taken.end = end;
  taken.hasCut ||= omitted > 0;
  taken.isLossy ||= isLossy;
  if (endsWith !== "") taken.endings[endsWith === "\n" ? "lf" : "crlf"] += 1;
  if (number > 0 && omitted === 0 && !isLossy) addLine(taken.whole, number);
}

function show(line: TextLine, number: number, { lineNumbers }: WindowRequest): string {
  const cut = markCut(line.text, line);
  return lineNumbers ? numberLine(number, cut) : cut;
}

function addLine(ranges: [number, number][], line: number): void {
  const last = ranges.at(-1);
  if (last?.[1] === line - 1) last[1] = line;
  else ranges.push([line, line]);
}

interface WindowEnd {
  readonly startLine: number;
  readonly endLine: number;
  readonly position: number;
  readonly isEnd: boolean;
}

async function countTotal(
  text: DetectedText,
  { startLine, endLine, position, isEnd }: WindowEnd,
): Promise<Pick<LineWindow, "totalLines" | "isTotalExact">> {
  if (text.survey !== undefined) return { totalLines: text.survey.lines, isTotalExact: true };
  if (startLine < 0) return { totalLines: -startLine, isTotalExact: false };
  if (isEnd) return { totalLines: endLine, isTotalExact: true };
  const most = { lines: LINES_PAST_WINDOW, bytes: BYTES_PAST_WINDOW };
  const rest = await countLines(text, position, most);
  return { totalLines: endLine + rest.lines, isTotalExact: rest.isEnd };
}
