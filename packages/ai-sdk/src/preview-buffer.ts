import type { ActivityStream, ToolProgress } from "@aiw/core";

/** What a running call shows of itself: output since the preview before, and how far it is. */
export interface CallPreview {
  readonly aiw: "preview";
  readonly chunk?: string;
  readonly progress?: ToolProgress;
}

/** Milliseconds of output that go into one preview. */
const COALESCE_MS = 50;

/** Characters one preview holds; of more, the last ones. */
const MAX_CHUNK_LENGTH = 64 * 1024;

/** Recognises a preview, also one that was stored and read back. */
export function isCallPreview(value: unknown): value is CallPreview {
  return typeof value === "object" && value !== null && "aiw" in value && value.aiw === "preview";
}

/** Gathers the output and progress of one call into a preview every 50 ms, for one reader. */
export class PreviewBuffer implements Disposable {
  readonly #unsubscribe: readonly (() => void)[];
  #chunk = "";
  #progress: ToolProgress | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = false;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(activity: ActivityStream, callId: string) {
    this.#unsubscribe = [
      activity.subscribe("tool_output_chunk", (event) => {
        if (event.callId === callId) this.#add(event.data.chunk);
      }),
      activity.subscribe("tool_progress", (event) => {
        if (event.callId !== callId) return;
        const { progress, total, message } = event.data;
        this.#progress = { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
        this.#schedule();
      }),
    ];
  }

  /** Waits for the next preview; undefined once the call has ended and everything was given out. */
  async next(): Promise<CallPreview | undefined> {
    while (!this.#due && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#take();
  }

  /** The call has ended: what is left goes out at once. */
  end(): void {
    this.#ended = true;
    this[Symbol.dispose]();
    this.#wake?.();
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#timer);
  }

  #add(chunk: string): void {
    this.#chunk = (this.#chunk + chunk).slice(-MAX_CHUNK_LENGTH);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#due = true;
      this.#wake?.();
    }, COALESCE_MS);
  }

  #take(): CallPreview | undefined {
    const chunk = this.#chunk;
    const progress = this.#progress;
    this.#chunk = "";
    this.#progress = undefined;
    this.#due = false;
    this.#timer = undefined;
    if (chunk === "" && progress === undefined) return undefined;
    return { aiw: "preview", ...(chunk !== "" && { chunk }), ...(progress !== undefined && { progress }) };
  }
}
