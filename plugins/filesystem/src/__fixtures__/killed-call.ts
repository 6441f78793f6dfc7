import * as fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import files from "node:fs/promises";
import { runTool, type Tool } from "@aiw/core";
import { fakeContext } from "@aiw/testkit";
import { applyPatch } from "../tools/apply-patch.ts";
import { copy } from "../tools/copy.ts";
import { deleteTool } from "../tools/delete.ts";
import { move } from "../tools/move.ts";
import { read } from "../tools/read.ts";
import { undo } from "../tools/undo.ts";

/** A process of its own: makes calls of tools, and kills itself once so many calls of the disk were made in the last of them. */
const [root = "", calls = "[]", most = "0"] = process.argv.slice(2);
let left = Number.POSITIVE_INFINITY;

type Work = (...args: unknown[]) => unknown;

function count(owner: object): void {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const work: unknown = descriptor?.value;
    if (typeof work !== "function" || !/^[a-z]/u.test(name) || name === "constructor") continue;
    const counted = function (this: unknown, ...args: unknown[]): unknown {
      left -= 1;
      if (left < 0) process.kill(process.pid, "SIGKILL");
      return Reflect.apply(work as Work, this, args);
    };
    Object.defineProperty(owner, name, { ...descriptor, value: counted });
  }
}

const handle = await files.open(root, fs.constants.O_RDONLY);
count(Object.getPrototypeOf(handle) as object);
await handle.close();
count(files);
syncBuiltinESMExports();

const tools: Record<string, Tool> = Object.fromEntries(
  [applyPatch, copy, deleteTool, move, read, undo].map((tool) => [tool.spec.name, tool as Tool]),
);
await using fake = fakeContext({ workspace: { cwd: root, roots: [root] }, sessionId: "killed" });
const wanted = JSON.parse(calls) as [name: string, input: object][];
for (const [index, [name, input]] of wanted.entries()) {
  const tool = tools[name];
  if (tool === undefined) throw new Error(`No tool ${name}.`);
  if (index === wanted.length - 1) left = Number(most);
  const result = await runTool(tool, input, fake.environment);
  if (!result.success) throw new Error(result.error);
}
left = Number.POSITIVE_INFINITY;
