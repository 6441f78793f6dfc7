import { spawnSync } from "node:child_process";
import path from "node:path";
import type { Bench, Contender, Suite, SuiteOptions } from "../src/bench.ts";

const OURS = "ours: edit";
const NAIVE = "read, replace, write";
const UNDO = "ours: undo";
const COPY = "copying a backup over it";
const MEGABYTE = "a file of 1 MB";

/** Who edits: floors, ours, peers. */
const EDITORS: readonly (readonly [name: string, script: string])[] = [
  [NAIVE, "naive"],
  ["the same, atomic and durable", "durable"],
  [OURS, "ours"],
  ["pi: edit", "pi"],
  ["MCP filesystem: edit_file, no transport", "mcp-filesystem"],
  ["deepagents: edit_file, one place a call", "deepagents"],
];

/** Who goes back. */
const RESTORERS: readonly (readonly [name: string, script: string])[] = [
  [COPY, "undo-copy"],
  ["the same, file by file, atomic and durable", "undo-durable"],
  [UNDO, "undo-ours"],
];

/** What edits of files cost, and taking a change of many files back. */
export const suite: Suite = {
  summary: "edits of a large file, and the way back from a change of many",
  async *create(options) {
    yield compareEdits({ count: options.quick ? 200 : 1000, size: 100 }, options);
    yield compareEdits({ count: options.quick ? 20 : 200, size: 1 }, options);
    yield compareUndo(options);
  },
};

/** How many edits, and how many of them in a call. */
interface EditLoad {
  readonly count: number;
  readonly size: number;
}

function compareEdits({ count, size }: EditLoad, { quick, scratch }: SuiteOptions): Bench {
  const calls = size === 1 ? "a call for each" : `${size} in a call`;
  return {
    title: `${count} edits in ${MEGABYTE}, ${calls}`,
    measure: "reported",
    base: NAIVE,
    rounds: quick ? 1 : 3,
    contenders: EDITORS.map(([name, script]) =>
      toContender(name, [script, scratch, String(count), String(size)], { edits: count }),
    ),
  };
}

function compareUndo({ quick, scratch }: SuiteOptions): Bench {
  const count = quick ? 100 : 1000;
  const hasGit = spawnSync("git", ["--version"]).status === 0;
  const contenders = [...RESTORERS, ...(hasGit ? [["git checkout -- .", "undo-git"] as const] : [])];
  return {
    title: `taking back a change of ${count} files`,
    measure: "reported",
    base: COPY,
    rounds: quick ? 1 : 7,
    contenders: contenders.map(([name, script]) =>
      toContender(name, [script, scratch, String(count)], { files: count }),
    ),
  };
}

function toContender(name: string, [script = "", scratch = "", ...rest]: readonly string[], answer: object): Contender {
  return {
    name,
    args: [`edit-files/contenders/${script}.mjs`, scratch, ...rest],
    // The history of a conversation is no part of what is measured elsewhere.
    env: { AIW_STATE_HOME: path.join(scratch, "state") },
    verify: (output) => checkAnswer(output, answer),
  };
}

function checkAnswer(output: string, expected: object): string | undefined {
  const { answer } = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as { readonly answer?: unknown };
  return JSON.stringify(answer) === JSON.stringify(expected) ? undefined : JSON.stringify(answer);
}
