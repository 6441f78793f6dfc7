import path from "node:path";
import type { Bench, Suite } from "../src/bench.ts";
import { makeLockedProject } from "./make-locked-project.ts";

const FLOOR = "reading and hashing the same files";
const FROZEN = "discoverTools({ frozen: true })";
const CHECK = "aiw lock --check";

/** How much longer than the floor and an unlocked pass together a pass may take that holds everything to a lock. */
const AT_MOST = 2;

/** What it costs to hold a project's tools to what its lock pins. */
export const suite: Suite = {
  summary: "the lock of all tools, held and checked",
  async *create({ quick, scratch }) {
    for (const tools of quick ? [50] : [50, 500]) yield compare(tools, { scratch, rounds: quick ? 1 : 15 });
  },
};

function compare(tools: number, { scratch, rounds }: { readonly scratch: string; readonly rounds: number }): Bench {
  const locked = makeLockedProject(path.join(scratch, `locked-${tools}`), tools);
  const unlocked = makeLockedProject(path.join(scratch, `unlocked-${tools}`), tools);
  const contender = (name: string, args: readonly string[]): Bench["contenders"][number] => ({
    name,
    args: args.map((arg, index) => (index === 0 ? `lock/contenders/${arg}.mjs` : arg)),
    verify: (output) => checkAnswer(output, tools),
  });
  return {
    title: `${tools} tools in ${tools / 5} packages`,
    measure: "reported",
    base: FLOOR,
    rounds,
    contenders: [
      contender(FLOOR, ["floor", unlocked]),
      contender("discoverTools()", ["ours", unlocked, "unlocked"]),
      contender(FROZEN, ["ours", locked, "frozen"]),
      contender(CHECK, ["ours", locked, "check"]),
    ],
    budgets: [FROZEN, CHECK].map((name) => ({
      claim: `${name} ≤ ${AT_MOST} × (hashing + an unlocked pass)`,
      ratio: (p10) => p10(name) / (p10(FLOOR) + p10("discoverTools()")),
      atMost: AT_MOST,
    })),
  };
}

function checkAnswer(output: string, tools: number): string | undefined {
  const { answer } = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as { readonly answer?: unknown };
  return JSON.stringify(answer) === JSON.stringify({ tools }) ? undefined : JSON.stringify(answer);
}
