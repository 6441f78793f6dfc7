import { renameSync, writeFileSync } from "node:fs";
import {
  compileSchema,
  CONTRACT_VERSION,
  describeThrown,
  sampleInput,
  TOOL_PACKAGE_BRAND,
  type JsonObject,
  type JsonSchema,
  type Tool,
} from "@aiw/core";
import { discoverTools } from "@aiw/core/node";
import { contractChecks } from "@aiw/testkit";
import type { ContractOutcome, ContractReport } from "./contract-report.ts";

/** The installed package whose tools are loaded. */
export interface ContractRequest {
  /** A project that depends on the package and on nothing else. */
  readonly project: string;
  readonly name: string;
  readonly optionsSchema?: JsonSchema;
  /** Where the report goes. */
  readonly result: string;
}

const MAX_ERROR = 1000;

/** Finds and loads the tools as a project would, runs their contract, and writes what came of it. */
export async function runContract(request: ContractRequest): Promise<void> {
  const end = process.exit.bind(process);
  const report = new ReportFile(request.result);
  const registry = await discoverTools({ projectDir: request.project, config: {} }, { environment: {} });
  await registry.loadCode();
  const { found, rejected } = registry.report;
  report.add({ stage: "loading the tools", findings: [...rejected, ...found.flatMap(({ notes }) => notes)] });
  const tools: Tool[] = [];
  for (const entry of registry.entries()) {
    const tool = await entry.load().catch(() => undefined);
    if (tool !== undefined) tools.push(tool);
  }
  const options = await sampleOptions(tools, request.optionsSchema);
  if (tools.length === 0) report.add({ skipped: "no tool could be loaded" });
  else if (options === undefined) report.add({ skipped: NO_OPTIONS });
  else await runChecks({ tools, options, optionsSchema: request.optionsSchema }, report);
  report.add({ stage: "done" });
  // What the code left running is told by its import.
  end(0);
}

const NO_OPTIONS =
  'no options could be made up that its tools take: give their schema an "example" or a "default" for each, or run testToolPackage with some';

interface LoadedTools {
  readonly tools: readonly Tool[];
  readonly options: JsonObject;
  readonly optionsSchema: JsonSchema | undefined;
}

/** As the package that they are: what holds for its options is part of the contract. */
async function runChecks({ tools, options, optionsSchema }: LoadedTools, report: ReportFile): Promise<void> {
  const outcomes: ContractOutcome[] = [];
  const whole = {
    [TOOL_PACKAGE_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    tools,
    ...(optionsSchema !== undefined && { optionsSchema }),
  };
  for (const check of contractChecks({ tools: whole, options })) {
    report.add({ stage: check.name, outcomes });
    try {
      await check.run();
      outcomes.push({ name: check.name });
    } catch (error) {
      outcomes.push({ name: check.name, error: describeThrown(error).slice(0, MAX_ERROR) });
    }
  }
  report.add({ outcomes });
}

/** Made-up options of which nothing is left to wish; a schema may ask in code for more than it says as JSON. */
async function sampleOptions(
  tools: readonly Tool[],
  optionsSchema: JsonSchema | undefined,
): Promise<JsonObject | undefined> {
  if (optionsSchema === undefined) return {};
  const options = sampleInput({ inputSchema: optionsSchema });
  const schema = await compileSchema(optionsSchema, { fillDefaults: true });
  if (!schema.check(structuredClone(options))) return undefined;
  for (const { parseOptions } of tools) {
    const parsed = await parseOptions?.(structuredClone(options));
    if (parsed?.issues !== undefined) return undefined;
  }
  return options;
}

/** The report on disk, whole at each moment: whatever ends this process, what it did last is known. */
class ReportFile {
  readonly #file: string;
  #report: ContractReport = { stage: "finding the tools", findings: [], outcomes: [] };

  constructor(file: string) {
    this.#file = file;
    this.add({});
  }

  add(more: Partial<ContractReport>): void {
    this.#report = { ...this.#report, ...more };
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#report));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
