import { renameSync, writeFileSync } from "node:fs";
import { compileSchema, describeThrown, type JsonSchema, type Tool } from "@aiw/core";
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
  if (tools.length === 0) report.add({ skipped: "no tool could be loaded" });
  else if (await needsOptions(request))
    report.add({ skipped: "the tools need options, which only their own tests can give" });
  else await runChecks(tools, report);
  report.add({ stage: "done" });
  // What the code left running is told by its import.
  end(0);
}

async function runChecks(tools: readonly Tool[], report: ReportFile): Promise<void> {
  const outcomes: ContractOutcome[] = [];
  for (const check of contractChecks({ tools })) {
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

/** Whether the package can do nothing until an operator configured it. */
async function needsOptions({ optionsSchema }: ContractRequest): Promise<boolean> {
  if (optionsSchema === undefined) return false;
  const schema = await compileSchema(optionsSchema, { fillDefaults: true });
  return !schema.check({});
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
