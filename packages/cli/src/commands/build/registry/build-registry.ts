import { mkdir } from "node:fs/promises";
import * as path from "node:path";
import type { Finding, ToolEntry, ToolRegistry } from "@aiw/core";
import type { Invocation } from "../../../command.ts";
import { EXIT, type ExitCode } from "../../../exit-codes.ts";
import { formatFinding } from "../../../output/format-report.ts";
import { oneLine } from "../../../output/one-line.ts";
import { printAnswer, printTalk } from "../../../output/print-prose.ts";
import { printJson, printLine } from "../../../output/print.ts";
import { UsageError } from "../../../usage-error.ts";
import { discoverProject } from "../../discover-project.ts";
import { replaceFile } from "../manifest-file.ts";
import { renderRegistry, type RegistryTool } from "./render-registry.ts";

/** A project that uses tools, and the module to write. */
export interface RegistryRequest extends Pick<Invocation, "io" | "cwd" | "json"> {
  readonly dir: string;
  /** As the command line names it. */
  readonly file: string;
}

/** Writes a module that imports the project's tool packages by literal paths, which bundlers follow; runs none of their code. */
export async function buildRegistry({ io, cwd, json, dir, file }: RegistryRequest): Promise<ExitCode> {
  if (!/\.m?js$/.test(file)) throw new UsageError("--registry: name a file that ends in .js or .mjs.");
  const target = path.resolve(cwd, file);
  const registry = await discoverProject(io, { projectDir: dir, requireStatic: true });
  const problems = findProblems(registry);
  const { tools, data } = await locateTools(listAll(registry));
  // A bundle without tools that the project means to have would be found out by its users.
  const changed = problems.length === 0 && (await writeModule(target, renderRegistry(tools, target)));
  if (json)
    printJson(io.stdout, {
      registry: problems.length === 0 ? target : null,
      changed,
      tools: tools.map(({ entry: { id } }) => id),
      leftOut: data,
      findings: problems,
    });
  for (const problem of problems) printLine(io.stderr, formatFinding("problem", problem, io.talkColumns));
  for (const id of data) printTalk(io, sayData(id));
  if (problems.length > 0) {
    printTalk(io, "Not written: correct this first, or switch the package off in tools.disabled.");
    return EXIT.failed;
  }
  if (!json) {
    const shown = oneLine(path.relative(cwd, target));
    const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
    printAnswer(io, `${changed ? "Wrote" : "Up to date:"} ${shown}: ${count}. ${HOW}`);
  }
  return EXIT.ok;
}

/** Its folder may be one that the bundler's output shares, and nobody has made yet. */
async function writeModule(target: string, text: string): Promise<boolean> {
  // Where no folder can be made, writing tells why.
  await mkdir(path.dirname(target), { recursive: true }).catch(() => undefined);
  return replaceFile(target, text);
}

const HOW = "Register them: registry.addSource(createBundledSource(packages)), both of @aiw/core.";

/** Code of a static manifest alone can be imported by name; all else would be missing in the bundle. */
function findProblems({ report }: ToolRegistry): readonly Finding[] {
  const isUnseen = ({ code }: Finding): boolean => code === "static_manifest_required";
  const isInstalled = ({ severity }: Finding): boolean => severity === "error";
  return [...report.rejected, ...report.missing.filter(isInstalled), ...report.notEnabled.filter(isUnseen)];
}

/** Names another package owns are reached by full ids, there as here. */
function listAll(registry: ToolRegistry): readonly ToolEntry[] {
  const losers = registry.report.shadowed.flatMap((shadowed) => shadowed.losers.map(({ id }) => registry.getEntry(id)));
  return [...registry.entries(), ...losers.filter((entry) => entry !== undefined)];
}

async function locateTools(
  entries: readonly ToolEntry[],
): Promise<{ readonly tools: readonly RegistryTool[]; readonly data: readonly string[] }> {
  const tools: RegistryTool[] = [];
  const data: string[] = [];
  for (const entry of entries) {
    if (entry.resolveCode === undefined || entry.spec === undefined) data.push(entry.id);
    else tools.push({ entry, spec: entry.spec, code: await entry.resolveCode() });
  }
  return { tools, data };
}

function sayData(id: string): string {
  return `${oneLine(id)} has no code to bundle: register it in your host with defineDataTool.`;
}
