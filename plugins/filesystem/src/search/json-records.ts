import { isPrematureClose } from "./list-with-ripgrep.ts";
import { isRecord } from "./json-values.ts";

/** One object of a stream. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const LONGEST_RECORD = 1024 * 1024;

/** Reads one JSON object per line; a line above 1 MiB is named, not kept. */
export async function* readJsonRecords(stream: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord | "oversize"> {
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        length += end - start;
        const record =
          length > LONGEST_RECORD ? "oversize" : parse(Buffer.concat([...parts, chunk.subarray(start, end)]));
        if (record !== undefined) yield record;
        parts = [];
        length = 0;
        start = end + 1;
      }
      length += chunk.length - start;
      if (length > LONGEST_RECORD) parts = [];
      else if (start < chunk.length) parts.push(chunk.subarray(start));
    }
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
}

function parse(line: Buffer): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
