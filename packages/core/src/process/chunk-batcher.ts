/** The streams of a process, as channels of its live output. */
export type OutputChannel = "stdout" | "stderr";

/** Gathers small pieces of live output. */
export interface ChunkBatcher {
  add(channel: OutputChannel, text: string): void;
  /** Emits what waits and stops the timer. */
  end(): void;
}

const INTERVAL_MS = 50;
/** UTF-16 units whose UTF-8 form always fits 64 KiB. */
const MAX_CHUNK = 21_000;

/** Emits what was added at most every 50 ms, or as soon as a chunk is full; channels keep their order. */
export function createChunkBatcher(emit: (channel: OutputChannel, text: string) => void): ChunkBatcher {
  let channel: OutputChannel = "stdout";
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = "";
    for (let at = 0; at < text.length;) {
      const next = chunkEnd(text, at);
      emit(channel, text.slice(at, next));
      at = next;
    }
  }

  function add(to: OutputChannel, text: string): void {
    if (text === "") return;
    if (to !== channel) flush();
    channel = to;
    waiting += text;
    if (waiting.length >= MAX_CHUNK) flush();
    else timer ??= setTimeout(flush, INTERVAL_MS);
  }

  return { add, end: flush };
}

/** Never between the halves of a surrogate pair. */
function chunkEnd(text: string, at: number): number {
  const end = Math.min(at + MAX_CHUNK, text.length);
  const unit = text.charCodeAt(end - 1);
  return end < text.length && unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}
