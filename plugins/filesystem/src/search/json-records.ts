import { isPrematureClose } from "./list-with-ripgrep.ts";
import { isRecord } from "./json-values.ts";

/** One object of a stream. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const LONGEST_RECORD = 1024 * 1024;

/** A line within a piece of a stream. */
export interface RecordSpan {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Hands over each line of a stream; one above 1 MiB is named, not kept.
 * After each piece of the stream `goOn` is asked whether to go on.
 */
export async function eachRecord(
  stream: AsyncIterable<Buffer>,
  take: (record: RecordSpan | "oversize") => void,
  goOn: () => boolean,
): Promise<void> {
  let parts: Buffer[] = [];
  let length = 0;
  // One object serves for all lines: there may be millions.
  const span: { chunk: Buffer; start: number; end: number } = { chunk: Buffer.alloc(0), start: 0, end: 0 };
  try {
    for await (const chunk of stream) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        length += end - start;
        if (length > LONGEST_RECORD) take("oversize");
        else if (parts.length === 0) {
          span.chunk = chunk;
          span.start = start;
          span.end = end;
          take(span);
        } else {
          span.chunk = Buffer.concat([...parts, chunk.subarray(start, end)]);
          span.start = 0;
          span.end = span.chunk.length;
          take(span);
        }
        if (parts.length > 0) parts = [];
        length = 0;
        start = end + 1;
      }
      length += chunk.length - start;
      if (length > LONGEST_RECORD) parts = [];
      else if (start < chunk.length) parts.push(chunk.subarray(start));
      if (!goOn()) return;
    }
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
}

/** Parses one line; `undefined` when it is no object. */
export function parseRecord(line: Buffer): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
