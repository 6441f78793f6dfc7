import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { CONTENDERS, WHOLE, type Contender } from "./contenders.ts";
import { CACHE_FILE, readCorpus, ROOT } from "./corpus.ts";
import { formatTable, toPercent } from "./format-table.ts";
import { measureRecall, type Recall } from "./measure-recall.ts";
import { readRequests, type Request } from "./requests.ts";
import type { Times } from "./time-contender.ts";

const SIZES = [500, 5000, 10_000];
const HALVES = ["tuning", "held_out"] as const;
const KINDS = ["plain", "vague", "typo", "synonym"] as const;

if (!existsSync(CACHE_FILE)) await import("./collect.ts");
const tools = await readCorpus();
const requests = await readRequests(tools);
const packages = new Set(tools.map(({ server }) => server)).size;
process.stdout.write(`${tools.length} tools of ${packages} packages, ${requests.length} requests\n\n`);

const recall = await measureAll([...CONTENDERS, WHOLE]);
process.stdout.write(`${formatTable(["recall", "half", "@1", "@3", "@8"], toHalfRows())}\n\n`);
process.stdout.write(`${formatTable(["recall@8 by kind", ...KINDS], toKindRows())}\n\n`);

const times = await timeAll(CONTENDERS);
process.stdout.write(
  `${formatTable(["time, one process each", "tools", "open ms", "query p50 ms", "p95 ms"], toTimeRows())}\n`,
);

const file = resolve(ROOT, "../results/search.json");
await mkdir(resolve(file, ".."), { recursive: true });
const conditions = {
  date: new Date().toISOString(),
  node: process.version,
  processor: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
};
await writeFile(
  file,
  `${JSON.stringify({ suite: "search", conditions, tools: tools.length, packages, recall, times }, null, 2)}\n`,
);

interface MeasuredRecall {
  readonly contender: string;
  readonly halves: { readonly [half in Request["half"]]: Recall };
  readonly kinds: { readonly [kind in Request["kind"]]: Recall };
}

async function measureAll(contenders: readonly Contender[]): Promise<MeasuredRecall[]> {
  const measured: MeasuredRecall[] = [];
  for (const { name, open } of contenders) {
    const ask = await open(tools);
    const among = (test: (request: Request) => boolean): Promise<Recall> => measureRecall(ask, requests.filter(test));
    measured.push({
      contender: name,
      halves: {
        tuning: await among(({ half }) => half === "tuning"),
        held_out: await among(({ half }) => half === "held_out"),
      },
      kinds: {
        plain: await among(({ kind }) => kind === "plain"),
        vague: await among(({ kind }) => kind === "vague"),
        typo: await among(({ kind }) => kind === "typo"),
        synonym: await among(({ kind }) => kind === "synonym"),
      },
    });
  }
  return measured;
}

function toHalfRows(): string[][] {
  return recall.flatMap(({ contender, halves }) =>
    HALVES.map((half) => {
      const { at1, at3, at8 } = halves[half];
      return [contender, half, toPercent(at1), toPercent(at3), toPercent(at8)];
    }),
  );
}

function toKindRows(): string[][] {
  return recall.map(({ contender, kinds }) => [contender, ...KINDS.map((kind) => toPercent(kinds[kind].at8))]);
}

interface MeasuredTimes extends Times {
  readonly contender: string;
  readonly tools: number;
}

/** A process each, since they disturb each other. */
async function timeAll(contenders: readonly Contender[]): Promise<MeasuredTimes[]> {
  const measured: MeasuredTimes[] = [];
  for (const size of SIZES) {
    for (const { name } of contenders) {
      const script = join(import.meta.dirname, "time-contender.ts");
      const { stdout } = await promisify(execFile)(process.execPath, [script, name, String(size)]);
      measured.push({ contender: name, tools: size, ...(JSON.parse(stdout) as Times) });
    }
  }
  return measured;
}

function toTimeRows(): string[][] {
  return times.map((row) => [
    row.contender,
    String(row.tools),
    ...[row.open, row.p50, row.p95].map((ms) => ms.toFixed(2)),
  ]);
}
