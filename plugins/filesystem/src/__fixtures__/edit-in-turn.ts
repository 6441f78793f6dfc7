import { runTool } from "@aiw/core";
import { fakeContext } from "@aiw/testkit";
import { edit } from "../tools/edit.ts";

/** A process of its own: edits every second line of a file, one after the other, and prints what failed. */
const [root = "", first = "0", last = "0"] = process.argv.slice(2);
await using fake = fakeContext({ workspace: { cwd: root, roots: [root] }, sessionId: `from-${first}` });
const failures: string[] = [];
for (let line = Number(first); line < Number(last); line += 2) {
  const edits = [{ old_text: `line ${line}.`, new_text: `made ${line}.` }];
  const result = await runTool(edit, { path: "a.txt", edits }, fake.environment);
  if (!result.success) failures.push(`${line}: ${result.error}`);
}
process.stdout.write(JSON.stringify(failures));
