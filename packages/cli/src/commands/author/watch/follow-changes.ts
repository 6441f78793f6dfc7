import { FileStateReader, isDifferent, type WatchedFiles } from "./file-states.ts";
import { FolderEvents } from "./folder-events.ts";

/** What is done at first and after each change, until the signal. */
export interface FollowedWork {
  readonly files: WatchedFiles;
  readonly signal: AbortSignal;
  /** Must not throw for what the author can correct; what it throws ends all. `hasChanged` tells whether it will be done again. */
  work(hasChanged: () => boolean): Promise<void>;
}

/** Works once and again after each change; a change during the work is worked on after it. */
export async function followChanges({ files, signal, work }: FollowedWork): Promise<void> {
  const reader = new FileStateReader(files);
  let wake: () => void = () => undefined;
  const events = new FolderEvents(() => wake());
  signal.addEventListener("abort", () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      const before = reader.read();
      events.arm(reader.folders);
      await work(() => isDifferent(before, reader.read(), files.dir));
      for (;;) {
        const next = new Promise<void>((resolve) => (wake = resolve));
        if (signal.aborted) break;
        const after = reader.read();
        events.arm(reader.folders);
        if (isDifferent(before, after, files.dir)) break;
        await next;
      }
    }
  } finally {
    events.close();
  }
}
