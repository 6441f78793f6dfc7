/** The call that leaves a record; a tool passes its context. */
export interface RecordingCall {
  readonly callId: string;
  /** Counts from 1; absent where nobody counts turns. */
  readonly turn?: number | undefined;
}

/** What a call did to a file. */
export type FileAccess = "read" | "write";

/** The last call that used a file in one way. */
export interface LastUse {
  readonly callId: string;
  readonly turn?: number;
  /** How many calls used it so. */
  readonly calls: number;
}

/** What a conversation did to one file. */
export interface FileUse {
  /** Absolute and free of links. */
  readonly path: string;
  readonly read?: LastUse;
  readonly written?: LastUse;
}

/** Files a conversation remembers; the ones used longest ago are forgotten first. */
const MOST_FILES = 5000;

/** The files a conversation read and wrote. */
export class FileUses {
  readonly #files = new Map<string, FileUse>();

  add(path: string, access: FileAccess, call: RecordingCall): void {
    const known = this.#files.get(path);
    const name = access === "read" ? "read" : "written";
    const last = known?.[name];
    // One call may say the same twice: by its verdict and by itself.
    const calls = last === undefined ? 1 : last.calls + (last.callId === call.callId ? 0 : 1);
    const use: LastUse = { callId: call.callId, ...(call.turn !== undefined && { turn: call.turn }), calls };
    this.#files.delete(path);
    this.#files.set(path, { ...known, path, [name]: use });
    if (this.#files.size > MOST_FILES) this.#forgetOldest();
  }

  /** Sorted by path. */
  list(): FileUse[] {
    return [...this.#files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  get(path: string): FileUse | undefined {
    return this.#files.get(path);
  }

  #forgetOldest(): void {
    const [oldest] = this.#files.keys();
    if (oldest !== undefined) this.#files.delete(oldest);
  }
}
