import path from "node:path";
import type { Bench, Budget, Contender, Suite } from "../src/bench.ts";
import { makeLines } from "./make-lines.ts";

const OURS = "ours: read";
const SLOWEST = "MCP filesystem: all lines to the last, no transport";
const BLOCKS = "blocks of 256 KiB, newlines counted";

/** Who reads the window: floors, ours, peers. */
const READERS: readonly (readonly [name: string, script: string])[] = [
  [BLOCKS, "blocks"],
  ["the whole file, split", "split"],
  [OURS, "ours"],
  ["pi: read", "pi"],
  ["deepagents: read_file", "deepagents"],
  [SLOWEST, "mcp-filesystem"],
];

const MOST_TIME = 1.5;
const MOST_MEMORY = 1.3;

/** What a few lines of a large file cost. */
export const suite: Suite = {
  summary: "a hundred lines deep in a large file, and its end",
  async *create({ quick, scratch }) {
    const lines = quick ? 250_000 : 500_000;
    const file = makeLines(path.join(scratch, `lines-${lines}.txt`), lines);
    const size = `${lines / 10_000} MB`;
    const offset = lines * 0.8;
    yield {
      title: `100 lines at line ${offset} of ${size}`,
      measure: "reported",
      base: BLOCKS,
      rounds: quick ? 1 : 7,
      contenders: READERS.map(([name, script]) =>
        toContender(name, [script, file, String(offset), quick ? "2" : "10"]),
      ),
      budgets: [atMost("time", MOST_TIME)],
    };
    for (const what of ["heap", "process"] as const) {
      yield compareMemory(what, { file, offset, size, rounds: quick ? 3 : 7 });
    }
  },
};

interface MemoryCase {
  readonly file: string;
  readonly offset: number;
  readonly size: string;
  readonly rounds: number;
}

/** Both run in a process that has loaded the same: what differs is what reading takes. */
function compareMemory(what: "heap" | "process", { file, offset, size, rounds }: MemoryCase): Bench {
  const measured = what === "heap" ? "peak of what is held on and off the heap" : "peak of the whole process";
  return {
    title: `MiB, ${measured}: 100 lines at line ${offset} of ${size}`,
    measure: "reported",
    unit: "MiB",
    base: BLOCKS,
    rounds,
    contenders: [
      toMemoryContender(BLOCKS, ["blocks", what, file, String(offset)]),
      toMemoryContender(OURS, ["ours", what, file, String(offset)]),
    ],
    budgets: [atMost("memory", MOST_MEMORY)],
  };
}

function atMost(what: string, ratio: number): Budget {
  return {
    claim: `${OURS}: ${what} ≤ ${ratio} × ${BLOCKS}`,
    atMost: ratio,
    ratio: (p10) => p10(OURS) / p10(BLOCKS),
  };
}

function toContender(name: string, [script, ...args]: readonly string[]): Contender {
  return { name, args: [`read/contenders/${script}.mjs`, ...args], verify };
}

/** A small young generation: what is garbage is soon gone, and what is held remains. */
function toMemoryContender(name: string, args: readonly string[]): Contender {
  return { name, args: ["--expose-gc", "--max-semi-space-size=1", "read/contenders/memory.mjs", ...args], verify };
}

function verify(output: string): string | undefined {
  const { answer } = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as { readonly answer?: unknown };
  return answer === "the lines" ? undefined : JSON.stringify(answer);
}
