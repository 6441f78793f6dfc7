import { createChunkBatcher, type OutputChannel } from "./chunk-batcher.ts";
import { createKeptText, type KeptText } from "./kept-text.ts";
import { createOutputFilter, type OutputFilter } from "./output-filter.ts";

/** What a run printed, as text within bounds. */
export interface CollectedOutput {
  /** Both streams in arrival order. */
  readonly combined: KeptText;
  readonly stdout: KeptText;
  readonly stderr: KeptText;
  /** Last line of stderr that says something. */
  readonly lastError: string;
  /** Streams that held bytes, not text. */
  readonly binary: readonly OutputChannel[];
}

/** Receives raw bytes while a command runs. */
export interface OutputCollector {
  add(channel: OutputChannel, bytes: Uint8Array): void;
  end(): CollectedOutput;
}

/** What a collector does with text beside keeping it. */
export interface CollectOptions {
  /** Characters kept of each text. */
  readonly limit: number;
  mask(text: string): string;
  emit(channel: OutputChannel, text: string): void;
}

interface Stream {
  readonly filter: OutputFilter;
  seen: number;
  isBinary: boolean;
}

const SNIFFED = 4_096;

/** Makes a collector that decodes, filters, masks, streams and keeps output. */
export function createOutputCollector(options: CollectOptions): OutputCollector {
  const batcher = createChunkBatcher(options.emit);
  const kept = {
    combined: createKeptText(options.limit),
    stdout: createKeptText(options.limit),
    stderr: createKeptText(options.limit),
  };
  const streams: Record<OutputChannel, Stream> = { stdout: createStream(), stderr: createStream() };
  let lastError = "";

  function keep(channel: OutputChannel, raw: string): void {
    if (raw === "") return;
    const text = options.mask(raw);
    kept.combined.append(text);
    kept[channel].append(text);
    if (channel === "stderr") lastError = findLastLine(text) ?? lastError;
    batcher.add(channel, text);
  }

  function add(channel: OutputChannel, bytes: Uint8Array): void {
    const stream = streams[channel];
    const sniffed = stream.seen < SNIFFED ? bytes.subarray(0, SNIFFED - stream.seen) : undefined;
    stream.seen += bytes.length;
    if (sniffed?.includes(0) === true) stream.isBinary = true;
    if (!stream.isBinary) keep(channel, stream.filter.push(bytes));
  }

  function end(): CollectedOutput {
    const channels = ["stdout", "stderr"] as const;
    for (const channel of channels) keep(channel, streams[channel].filter.end());
    batcher.end();
    return { ...kept, lastError, binary: channels.filter((channel) => streams[channel].isBinary) };
  }

  return { add, end };
}

function createStream(): Stream {
  return { filter: createOutputFilter(), seen: 0, isBinary: false };
}

function findLastLine(text: string): string | undefined {
  const line = text
    .split("\n")
    .findLast((each) => each.trim() !== "")
    ?.trim();
  return line !== undefined && line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
