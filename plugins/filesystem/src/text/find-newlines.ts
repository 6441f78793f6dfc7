import type { Charset } from "./charset.ts";
import { BLOCK_BYTES, readBlocks, type ByteSource } from "./byte-source.ts";
import { afterNewline } from "./after-newline.ts";
import { countNewlines } from "./count-newlines.ts";

/** Where the lines of a text lie, without decoding it. */
export interface TextBytes {
  readonly source: ByteSource;
  readonly charset: Charset;
  /** The first byte after the mark; code units count from here. */
  readonly start: number;
}

/** A line's place; `line` counts from 1. */
export interface LinePlace {
  readonly line: number;
  readonly position: number;
}

/** Finds where a line begins; past the end, how many lines there are instead. */
export async function findLine(
  { source, charset, start }: TextBytes,
  line: number,
): Promise<LinePlace | { readonly lines: number }> {
  let seen = 1;
  let position = start;
  if (line === 1 && source.size > start) return { line, position };
  for await (const block of readBlocks(source, start)) {
    const isInside = position + block.length < source.size;
    const newlines = isInside ? countNewlines(block, charset) : 0;
    if (isInside && seen + newlines < line) {
      seen += newlines;
      position += block.length;
      continue;
    }
    for (let at = afterNewline(block, 0, charset); at !== -1; at = afterNewline(block, at, charset)) {
      seen += 1;
      if (seen === line && position + at < source.size) return { line, position: position + at };
      if (position + at === source.size) return { lines: seen - 1 };
    }
    position += block.length;
  }
  return { lines: source.size === start ? 0 : seen };
}

/** Finds where the last `count` lines begin, going backwards by blocks; `lines` is how many there are, at most `count`. */
export async function findLastLines(
  { source, charset, start }: TextBytes,
  count: number,
): Promise<{ readonly position: number; readonly lines: number }> {
  let lines = 0;
  for (let end = lastUnit(source.size, { start, unit: charset.unit }); end > start;) {
    const from = Math.max(start, end - BLOCK_BYTES);
    const block = await source.read(from, end - from);
    for (const at of newlinesBackward(block, charset)) {
      // The line feed that ends the file begins no line.
      if (from + at >= source.size) continue;
      lines += 1;
      if (lines === count) return { position: from + at, lines };
    }
    end = from;
  }
  return { position: start, lines: source.size > start ? lines + 1 : 0 };
}

function lastUnit(size: number, { start, unit }: { readonly start: number; readonly unit: number }): number {
  return size - ((size - start) % unit);
}

function newlinesBackward(block: Buffer, charset: Charset): number[] {
  const found: number[] = [];
  for (let at = afterNewline(block, 0, charset); at !== -1; at = afterNewline(block, at, charset)) found.push(at);
  return found.toReversed();
}

/** Counts lines from a place on, at most `most`; `isEnd` tells that there are no more. */
export async function countLines(
  { source, charset }: TextBytes,
  position: number,
  most: { readonly lines: number; readonly bytes: number },
): Promise<{ readonly lines: number; readonly isEnd: boolean }> {
  let lines = 0;
  let at = position;
  let isOpen = false;
  for await (const block of readBlocks(source, position)) {
    const newlines = at + block.length < source.size ? countNewlines(block, charset) : most.lines;
    if (lines + newlines < most.lines) {
      lines += newlines;
      at += block.length;
      if (at - position >= most.bytes) return { lines, isEnd: false };
      continue;
    }
    let last = 0;
    for (let end = afterNewline(block, 0, charset); end !== -1; end = afterNewline(block, end, charset)) {
      lines += 1;
      last = end;
      if (lines >= most.lines) return { lines, isEnd: at + end >= source.size };
    }
    isOpen = last < block.length;
    at += block.length;
    if (at - position >= most.bytes && at < source.size) return { lines, isEnd: false };
  }
  return { lines: lines + (isOpen ? 1 : 0), isEnd: true };
}
