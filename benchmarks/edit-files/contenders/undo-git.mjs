// What agents without an undo of their own do.
import { spawnSync } from "node:child_process";
import { measureUndo, writeAll } from "../measure-undo.mjs";

await measureUndo((folder) => {
  const git = (...words) => {
    const settings = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.autocrlf=false"];
    const { status, stderr } = spawnSync("git", [...settings, ...words], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "before");
  return { change: writeAll, goBack: () => git("checkout", "--quiet", "--", ".") };
});
