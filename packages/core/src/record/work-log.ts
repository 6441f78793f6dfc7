import type { SessionKey } from "../contract/tool-context.ts";
import { ChangeHistory, type Change, type RecordedChange } from "./change-history.ts";
import { FileUses, type FileAccess, type RecordingCall } from "./file-uses.ts";

/** What the calls of one conversation leave on record: files they used, changes that can be taken back. */
export class WorkLog {
  /** The host's to read and to take back from; tools record by the methods below. */
  readonly files: FileUses = new FileUses();
  readonly changes: ChangeHistory = new ChangeHistory();

  /** Records that a call read or wrote a file; pass the context as the call. */
  touch(call: RecordingCall, path: string, access: FileAccess): void {
    this.files.add(path, access, call);
  }

  /** Records a change once it is made, so that the conversation can take it back; pass the context as the call. */
  record(call: RecordingCall, change: Change): RecordedChange {
    return this.changes.add(change, call);
  }
}

/** The record of a conversation: `const log = await context.session.get(workLog)`. */
export const workLog: SessionKey<WorkLog> = Object.freeze<SessionKey<WorkLog>>({
  name: "@aiw/core/work-log",
  create: () => new WorkLog(),
  dispose: ({ changes }) => changes.clear(),
});
