import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import type { Finding, FoundPackage } from "./listing.ts";
import type { InstalledLayout, StrangerOptions } from "./installed-layout.ts";

/** What discovery tells of a project. */
export interface Report {
  readonly project: { readonly dir: string; readonly mode: string };
  readonly found: readonly FoundPackage[];
  readonly rejected: readonly Finding[];
  readonly missing: readonly Finding[];
  readonly notEnabled: readonly Finding[];
}

/** What a program that uses the library saw in one process. */
export interface Seen {
  /** Full ids, in the order of the registry. */
  readonly ids: readonly string[];
  readonly report: Report;
  /** What each of the called tools answered, or the error. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The report of the registry that was called, after the calls. */
  readonly after: Report;
}

/** Lists with inventory through the library, and calls the tools whose ids are given, all in one process. */
const PROBE = `
import { discoverTools } from "@aiw/core/node";
import { openTools } from "@aiw/executor/node";

const registry = await discoverTools({ inventory: true });
const ids = registry.entries().map(({ id }) => id);
await using tools = await openTools({ load: "on_call" });
const answers = {};
for (const id of process.argv.slice(2)) {
  const result = await tools.executeTool(id, { text: "hello" });
  answers[id] = result.success ? result.value : result.error;
}
const seen = JSON.stringify({ ids, report: registry.report, answers, after: tools.registry.report });
// Tools may have printed before, and may keep the process alive after.
process.stdout.write("\\n" + seen, () => process.exit());
`;

/** Runs the probe in a project. */
export async function probe(
  { dir, node }: InstalledLayout,
  ids: readonly string[],
  options?: StrangerOptions,
): Promise<Seen> {
  const file = join(dir, "probe.mjs");
  await writeFile(file, PROBE);
  const { code, stdout, stderr } = await node([file, ...ids], options);
  if (code !== 0) throw new Error(`The probe ended with ${code}:\n${stdout}\n${stderr}`);
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n"))) as Seen;
}

/** Everything a report says, whatever it says it of. */
export function findingsOf({ report }: Pick<Seen, "report">): Finding[] {
  const { found, rejected, missing, notEnabled } = report;
  return [...rejected, ...missing, ...notEnabled, ...found.flatMap(({ notes }) => notes)];
}
