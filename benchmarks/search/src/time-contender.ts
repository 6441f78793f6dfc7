import { CONTENDERS } from "./contenders.ts";
import { readCorpus, type CollectedTool } from "./corpus.ts";
import { readRequests } from "./requests.ts";

/** Milliseconds: from the list of tools to the first answer, and of one later question. */
export interface Times {
  readonly open: number;
  readonly p50: number;
  readonly p95: number;
}

const ROUNDS = 3;
/** Slow contenders are asked less often. */
const MOST_MS = 15_000;

const [name, size] = process.argv.slice(2);
const contender = CONTENDERS.find((known) => known.name === name);
if (contender === undefined) throw new Error(`Contenders: ${CONTENDERS.map((known) => known.name).join("; ")}.`);
const tools = await readCorpus();
const requests = await readRequests(tools);
const many = multiply(tools, Number(size));
const started = performance.now();
const ask = await contender.open(many);
const first = await ask(requests[0]?.request ?? "", 8);
const open = performance.now() - started;
if (first.length === 0) throw new Error(`${contender.name} finds nothing.`);
const samples: number[] = [];
for (const { request } of Array.from({ length: ROUNDS }, () => requests).flat()) {
  const asked = performance.now();
  if (asked - started > MOST_MS) break;
  await ask(request, 8);
  samples.push(performance.now() - asked);
}
samples.sort((a, b) => a - b);
const at = (share: number): number => samples[Math.floor(samples.length * share)] ?? Number.NaN;
process.stdout.write(JSON.stringify({ open, p50: at(0.5), p95: at(0.95) } satisfies Times));

/** More tools of the same kind; each copy has words of its own, as each further package would. */
function multiply(collected: readonly CollectedTool[], count: number): CollectedTool[] {
  return Array.from({ length: count }, (_, index) => {
    const tool = collected[index % collected.length];
    if (tool === undefined) throw new Error("Nothing was collected.");
    const copy = Math.floor(index / collected.length);
    if (copy === 0) return tool;
    const word = `tenant${String.fromCodePoint(97 + (copy % 26))}${copy}`;
    const { id, name, description } = tool;
    return {
      ...tool,
      id: `${word}:${id}`,
      name: `${word}_${name}`.slice(0, 64),
      description: `${description} (${word})`,
    };
  });
}
