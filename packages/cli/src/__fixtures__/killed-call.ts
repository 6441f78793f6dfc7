import { openChangeJournal, openWorkspace, type Workspace } from "@aiw/core/node";

/** Overwrites a.txt and renames b.txt in one call, and is killed before the second is done. */
const [root = "", folder = ""] = process.argv.slice(2);
const roots = { cwd: root, roots: [root] };
const journal = await openChangeJournal({ workspace: roots, sessionId: "killed", folder });
const opened = await openWorkspace(roots);
const workspace: Workspace = {
  ...opened,
  rename() {
    process.kill(process.pid, "SIGKILL");
    throw new Error("killed");
  },
};
await journal.apply(workspace, {
  tool: "edit",
  title: "Edited",
  callId: "c",
  changes: [
    { op: "write", path: "a.txt", content: Buffer.from("half done"), options: { mode: "overwrite" } },
    { op: "move", from: "b.txt", to: "c.txt" },
  ],
});
