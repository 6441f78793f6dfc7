import * as path from "node:path";
import { AiwError, describeThrown, ToolError, type JsonSchema } from "@aiw/core";
import { ManifestMaker } from "../author/manifest/manifest-maker.ts";
import { isRecord } from "../author/declared-tools.ts";
import { isDataAlone, listModules } from "./judge/judge-manifest.ts";
import { runCheckProcess, type CodeSetting } from "./probe/run-check-process.ts";
import type { ContractReport } from "./probe/contract-report.ts";
import type { ContractRequest } from "./probe/run-contract.ts";
import { watchImports } from "./probe/watch-imports.ts";
import type { CheckSubject, CodeReports, ReadManifest, Rebuilt } from "./subject.ts";

/** What code is run, and where. */
export interface CodeRequest {
  readonly subject: CheckSubject;
  /** A project that has the package installed. */
  readonly project: string;
  readonly setting: CodeSetting;
  onStage(stage: string): void;
}

/** Modules that are imported one by one; a package has one, or few. */
const MAX_MODULES = 50;

/** A contract loads each module and calls every tool. */
const CONTRACT_SHARE = 4;

/** What is known where no code was run. */
export const NO_CODE: CodeReports = { imports: [], rebuilt: undefined, contract: undefined };

/**
 * Runs the packed code in processes of its own; what needs more than its import only where every module lets its process live.
 * @throws ToolError `cancelled`
 */
export async function runCode({ subject, project, setting, onStage }: CodeRequest): Promise<CodeReports> {
  const { manifest, packed } = subject;
  if (manifest === undefined) return NO_CODE;
  const files = new Set(packed.files.map((file) => file.path));
  const modules = listModules(manifest).filter((module) => files.has(path.posix.normalize(module)));
  onStage("importing its modules");
  const imports = await watchImports(packed.dir, modules.slice(0, MAX_MODULES), setting);
  const isLoadable =
    (imports.length > 0 || isDataAlone(manifest)) &&
    imports.every(({ ended, leftovers }) => ended === "settled" && leftovers.length === 0);
  if (!isLoadable) return { ...NO_CODE, imports };
  onStage("building its manifest again");
  // Tools that are data are written by hand.
  const rebuilt = modules.length === 0 ? undefined : await rebuild(subject.dir, { modules, signal: setting.signal });
  onStage("running its contract");
  const request = toContractRequest(manifest, { project, name: subject.name });
  const contract = await runCheckProcess("contract", request, {
    ...setting,
    timeoutMs: CONTRACT_SHARE * setting.timeoutMs,
  });
  return {
    imports,
    rebuilt,
    contract: isContractReport(contract.report) ? contract.report : NEVER_BEGAN,
  };
}

/** Of a process that was gone before it wrote anything. */
const NEVER_BEGAN: ContractReport = { stage: "starting", findings: [], outcomes: [] };

function isContractReport(report: unknown): report is ContractReport {
  return isRecord(report) && ["findings", "outcomes"].every((list) => Array.isArray(report[list]));
}

type Request = Omit<ContractRequest, "result">;

function toContractRequest({ value }: ReadManifest, place: Pick<Request, "project" | "name">): Request {
  const { optionsSchema } = value;
  return { ...place, ...(isRecord(optionsSchema) && { optionsSchema: optionsSchema as JsonSchema }) };
}

/** As `aiw build` does, from the author's own folder; nothing is written. */
async function rebuild(
  dir: string,
  { modules, signal }: { readonly modules: readonly string[]; readonly signal: AbortSignal },
): Promise<Rebuilt> {
  try {
    const module = modules.length === 1 ? modules[0] : undefined;
    const { text } = await new ManifestMaker(dir, { module, signal }).make();
    return { text };
  } catch (error) {
    if (signal.aborted) throw new ToolError("cancelled", "The check was interrupted.");
    return AiwError.is(error) && error.fix !== undefined
      ? { error: error.message, fix: error.fix }
      : { error: describeThrown(error) };
  }
}
