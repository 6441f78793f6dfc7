import { nodeFileSystem, type FileSystemPort } from "../../confine/file-system-port.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { openChangeJournal } from "../open-change-journal.ts";

/** Makes three changes, or takes them back, and kills itself once so many operations of the disk were made. */
const [root = "", folder = "", operations = "0", way] = process.argv.slice(2);
const workspace = { cwd: root, roots: [root] };
let left = Number.POSITIVE_INFINITY;

const guarded = Object.entries(nodeFileSystem).map(([name, work]) => [
  name,
  async (...args: unknown[]) => {
    if ((left -= 1) < 0) process.kill(process.pid, "SIGKILL");
    return await Reflect.apply(work as (...given: unknown[]) => unknown, nodeFileSystem, args);
  },
]);
const fileSystem = Object.fromEntries(guarded) as FileSystemPort;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const journal = await openChangeJournal({ workspace, sessionId: "s", folder, fileSystem });
await using opened = await openWorkspace(workspace, { fileSystem });
if (way === "apply") left = Number(operations);
await journal.apply(opened, {
  tool: "test",
  title: "Wrote things",
  callId: "c",
  changes: [
    { op: "write", path: "a", content: bytes("new a"), options: { mode: "overwrite" } },
    { op: "move", from: "b", to: "e" },
    { op: "write", path: "n/f", content: bytes("new f"), options: { mode: "create", createDirs: true } },
    { op: "delete", path: "d", recursive: true },
  ],
});
if (way === "undo") {
  left = Number(operations);
  await journal.revert(opened, { direction: "undo" });
}
