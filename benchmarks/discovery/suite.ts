import path from "node:path";
import type { Bench, Budget, Contender, Suite } from "../src/bench.ts";
import { BENCHMARKS } from "../src/run-contender.ts";
import { TOOLS_PER_PLUGIN, type Ecosystem } from "./describe-plugin.ts";
import { makeProject, type Layout } from "./make-project.ts";

/** A project of each size, as every ecosystem would have it. */
interface Size {
  readonly dependencies: number;
  readonly plugins: number;
  readonly layout: Layout;
  readonly rounds: number;
}

const SIZES = [10, 100, 1000, 5000];

/** Which tools a project has: whole processes beside the peers, then our pass beside the least that any pass must do. */
export const suite: Suite = {
  summary: "which tools a project has, by its number of dependencies",
  async *create({ quick, scratch }) {
    const sizes = quick ? [10, 100] : SIZES;
    for (const layout of ["flat", "linked"] as const) {
      for (const dependencies of sizes) {
        const rounds = quick ? 2 : dependencies >= 5000 ? 9 : 21;
        yield compareProcesses({ dependencies, plugins: Math.ceil(dependencies / 10), layout, rounds }, scratch);
      }
    }
    const allPlugins = quick ? 100 : 1000;
    yield compareProcesses(
      { dependencies: allPlugins, plugins: allPlugins, layout: "flat", rounds: quick ? 2 : 9 },
      scratch,
    );
    for (const dependencies of quick ? [100] : [100, 500, 1000]) {
      yield compareStages(
        { dependencies, plugins: dependencies / 10, layout: "flat", rounds: quick ? 2 : 31 },
        scratch,
      );
    }
    yield measureOrdinary(
      { dependencies: quick ? 200 : 2000, plugins: 0, layout: "flat", rounds: quick ? 2 : 31 },
      scratch,
    );
  },
};

const PEERS = ["oclif with manifests", "Node-RED", "n8n"] as const;

function compareProcesses(size: Size, scratch: string): Bench {
  const { dependencies, plugins, layout, rounds } = size;
  const ours = make("aiw", size, scratch);
  const count = plugins * TOOLS_PER_PLUGIN;
  const share = plugins === dependencies ? "all with tools" : "a tenth with tools";
  const ahead = PEERS.map((peer) => atMost({ contender: "aiw list --json", base: peer, ratio: 1 }));
  const isBudgetSize = dependencies === 1000 && plugins === 100;
  return {
    title: `${dependencies} dependencies, ${share}, ${layout}`,
    measure: "process",
    base: "node -e 0",
    rounds,
    contenders: [
      { name: "node -e 0", args: ["-e", "0"], verify: () => undefined },
      script({ file: "floor", dir: ours, count }),
      script({ file: "library", dir: ours, count, name: "discoverTools" }),
      {
        name: "aiw list --json",
        args: [findCommand(), "list", "--json"],
        cwd: ours,
        verify: (output) => verifyListing(output, count),
      },
      script({ file: "oclif", dir: make("oclif", size, scratch), count, name: PEERS[0] }),
      script({ file: "node-red", dir: make("node-red", size, scratch), count, name: PEERS[1] }),
      script({ file: "n8n", dir: make("n8n", size, scratch), count, name: PEERS[2] }),
    ],
    budgets: [
      ...(isBudgetSize ? [atMost({ contender: "aiw list --json", base: "node -e 0", ratio: 2.5 })] : []),
      ...ahead,
    ],
  };
}

function compareStages(size: Size, scratch: string): Bench {
  const dir = make("aiw", size, scratch);
  const count = size.plugins * TOOLS_PER_PLUGIN;
  const whole = size.dependencies >= 500 ? 2.5 : 3.5;
  return {
    title: `the pass alone, ${size.dependencies} dependencies`,
    measure: "reported",
    base: "floor",
    rounds: size.rounds,
    contenders: [
      script({ file: "floor", dir, count }),
      script({ file: "locate-and-read", dir, count, name: "locate and read" }),
      script({ file: "library", dir, count, name: "whole pass" }),
    ],
    budgets: [
      atMost({ contender: "locate and read", base: "floor", ratio: 1.75 }),
      atMost({ contender: "whole pass", base: "floor", ratio: whole }),
    ],
  };
}

/** Two sizes of projects without tools: what lies between them is the cost of ordinary dependencies alone. */
function measureOrdinary(size: Size, scratch: string): Bench {
  const few = make("aiw", { ...size, dependencies: size.dependencies / 10 }, scratch);
  const many = make("aiw", size, scratch);
  return {
    title: `ordinary dependencies, ${size.dependencies / 10} and ${size.dependencies}`,
    measure: "reported",
    base: "floor, few",
    rounds: size.rounds,
    contenders: [
      script({ file: "floor", dir: few, count: 0, name: "floor, few" }),
      script({ file: "floor", dir: many, count: 0, name: "floor, many" }),
      script({ file: "library", dir: few, count: 0, name: "whole pass, few" }),
      script({ file: "library", dir: many, count: 0, name: "whole pass, many" }),
    ],
    budgets: [
      {
        claim: "an ordinary dependency more ≤ 1.5 × reading it",
        atMost: 1.5,
        ratio: (p10) => (p10("whole pass, many") - p10("whole pass, few")) / (p10("floor, many") - p10("floor, few")),
      },
    ],
  };
}

function atMost({ contender, base, ratio }: { contender: string; base: string; ratio: number }): Budget {
  return { claim: `${contender} ≤ ${ratio} × ${base}`, atMost: ratio, ratio: (p10) => p10(contender) / p10(base) };
}

/** Made once per shape: benches of one size share it. */
function make(ecosystem: Ecosystem, { dependencies, plugins, layout }: Size, scratch: string): string {
  const key = `${ecosystem}-${dependencies}-${plugins}-${layout}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const dir = makeProject(path.join(scratch, key), { ecosystem, dependencies, plugins, layout });
  made.set(key, dir);
  return dir;
}

const made = new Map<string, string>();

interface Script {
  readonly file: string;
  readonly dir: string;
  /** Tools that it must find. */
  readonly count: number;
  readonly name?: string;
}

function script({ file, dir, count, name = file }: Script): Contender {
  const verify = (output: string): string | undefined => {
    const answer = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as { readonly count?: number };
    return answer.count === count ? undefined : `${answer.count} tools instead of ${count}`;
  };
  return { name, args: [path.join(import.meta.dirname, "contenders", `${file}.mjs`), dir], verify };
}

function findCommand(): string {
  return path.join(BENCHMARKS, "node_modules/@aiw/cli/bin/aiw.js");
}

function verifyListing(output: string, count: number): string | undefined {
  const { tools, findings } = JSON.parse(output) as { tools: readonly { id: string }[]; findings: readonly object[] };
  const ids = new Set(tools.map(({ id }) => id));
  if (ids.size !== count) return `${ids.size} tools instead of ${count}`;
  return findings.length === 0 ? undefined : `findings: ${JSON.stringify(findings[0])}`;
}
