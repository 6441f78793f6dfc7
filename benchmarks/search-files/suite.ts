import path from "node:path";
import type { Bench, Contender, Suite } from "../src/bench.ts";
import { makeTree, type Tree } from "./make-tree.ts";

const OURS_GREP = "ours: grep";
const OURS_FILES = "ours: grep, output_mode=files";
const JSON_LINES = "rg --json, spawned directly";
const PLAIN_LINES = "rg --line-number, spawned directly";
const OURS_PATH = "ours: glob, sort=path";
const OURS_MTIME = "ours: glob, sort=mtime";
const FILES = "rg --files, spawned directly";
const BY_MODIFIED = "rg --files --sort=modified";

/** What a search may cost at most, as a share of the program alone. */
const MOST_GREP = 1.1;
const MOST_GLOB = 1.2;

const PATTERNS = ["absentWord", "needleRare", "epsilon promise", "alpha"] as const;

/** What searching a tree costs beside the program that does the work, and beside the tools of others. */
export const suite: Suite = {
  summary: "searching in files, and for files, of a large tree",
  async *create({ quick, scratch }) {
    const files = quick ? 2000 : 20_000;
    const tree = makeTree(path.join(scratch, "tree"), files);
    const runs = quick ? { rounds: 1, times: 2 } : { rounds: 5, times: 8 };
    for (const pattern of PATTERNS) yield compareGrep(tree, pattern, runs);
    yield compareGlob(tree, { pattern: "**/*", total: tree.files }, runs);
    yield compareGlob(tree, { pattern: "**/*.ts", total: tree.typescript }, runs);
  },
};

interface Runs {
  readonly rounds: number;
  readonly times: number;
}

function compareGrep(tree: Tree, pattern: (typeof PATTERNS)[number], { rounds, times }: Runs): Bench {
  const total = tree.lines[pattern];
  const contender = contenderOf(tree, pattern, times);
  // It heeds ignore files in repositories only, so it finds more.
  const peers =
    // Every match of a flood as an object is more than their answer was made for.
    pattern === "alpha" ? [] : [contender("deepagents: grep, plain text", "deepagents-grep")];
  return {
    title: `lines with "${pattern}" in ${tree.files - 1} files: ${total}`,
    measure: "reported",
    base: JSON_LINES,
    rounds,
    contenders: [
      contender(JSON_LINES, "ripgrep-json", total),
      contender(PLAIN_LINES, "ripgrep-lines", total),
      contender(OURS_GREP, "ours-grep", total),
      contender(OURS_FILES, "ours-grep", total, "files"),
      contender("pi: grep, 100 matches", "pi-grep", Math.min(100, total)),
      ...peers,
    ],
    budgets: [
      {
        claim: `${OURS_GREP} ≤ ${MOST_GREP} × ${JSON_LINES}`,
        ratio: (p10) => p10(OURS_GREP) / p10(JSON_LINES),
        atMost: MOST_GREP,
      },
    ],
  };
}

function compareGlob(
  tree: Tree,
  { pattern, total }: { readonly pattern: string; readonly total: number },
  { rounds, times }: Runs,
): Bench {
  const contender = contenderOf(tree, pattern, times);
  return {
    title: `paths that fit ${pattern}: ${total}`,
    measure: "reported",
    base: FILES,
    rounds,
    contenders: [
      contender(FILES, "ripgrep-files", total),
      contender("rg --files --sort=path", "ripgrep-files-by-path", total),
      contender(BY_MODIFIED, "ripgrep-files-by-modified", total),
      contender(OURS_PATH, "ours-glob", total, "path"),
      contender(OURS_MTIME, "ours-glob", total, "mtime"),
      contender("fast-glob", "fast-glob", total),
      contender("tinyglobby", "tinyglobby", total),
      contender("deepagents: glob", "deepagents-glob"),
      contender("MCP filesystem: search_files", "mcp-filesystem-glob"),
    ],
    budgets: [
      {
        claim: `${OURS_PATH} ≤ ${MOST_GLOB} × ${FILES}`,
        ratio: (p10) => p10(OURS_PATH) / p10(FILES),
        atMost: MOST_GLOB,
      },
      {
        claim: `${OURS_MTIME} ≤ ${MOST_GLOB} × ${BY_MODIFIED}`,
        ratio: (p10) => p10(OURS_MTIME) / p10(BY_MODIFIED),
        atMost: MOST_GLOB,
      },
    ],
  };
}

type ContenderMaker = (name: string, script: string, ...answerAndMore: readonly (number | string)[]) => Contender;

/** The number that must be found, when it is the same for all, comes before further arguments. */
function contenderOf({ folder }: Tree, wanted: string, times: number): ContenderMaker {
  return (name, script, ...[total, ...more]) => ({
    name,
    args: [`search-files/contenders/${script}.mjs`, folder, wanted, String(times), ...more.map(String)],
    verify: (output) => checkAnswer(output, total),
  });
}

function checkAnswer(output: string, total: number | string | undefined): string | undefined {
  const { answer } = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as { readonly answer?: unknown };
  if (total === undefined ? typeof answer === "number" : answer === total) return undefined;
  return `found ${JSON.stringify(answer)}, not ${String(total)}`;
}
