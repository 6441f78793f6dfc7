import * as path from "node:path";
import type { JsonSchema } from "@aiw/core";
import type { AuthorPackage } from "../author/read-author-package.ts";
import { listModules } from "./judge/judge-manifest.ts";
import { runCheckProcess, type CodeSetting } from "./probe/run-check-process.ts";
import type { ContractReport } from "./probe/contract-report.ts";
import type { ContractRequest } from "./probe/run-contract.ts";
import { watchImports } from "./probe/watch-imports.ts";
import type { CheckSubject, CodeReports } from "./subject.ts";

/** What code is run, and where. */
export interface CodeRequest {
  readonly subject: CheckSubject;
  readonly author: AuthorPackage;
  readonly project: string;
  readonly setting: CodeSetting;
  onStage(stage: string): void;
}

/** Modules that are imported one by one; a package has one, or few. */
const MAX_MODULES = 50;

/** A contract runs every tool, and loads each module twice. */
const CONTRACT_SHARE = 4;

/** Runs the packed code in processes of its own; the contract only where every module lets its process live. */
export async function runCode({ subject, author, project, setting, onStage }: CodeRequest): Promise<CodeReports> {
  const { manifest, packed } = subject;
  if (manifest === undefined) return { imports: [], contract: undefined };
  const files = new Set(packed.files.map((file) => file.path));
  const modules = listModules(manifest).filter((module) => files.has(path.posix.normalize(module)));
  onStage("importing its modules");
  const imports = await watchImports(packed.dir, modules.slice(0, MAX_MODULES), setting);
  const isLoadable = imports.length > 0 && imports.every(({ ended }) => ended === "settled");
  if (!isLoadable) return { imports, contract: undefined };
  onStage("running its contract");
  const request: Omit<ContractRequest, "result"> = {
    project,
    name: subject.name,
    packageDir: packed.dir,
    build: {
      module: modules.length === 1 && modules[0] !== undefined ? modules[0] : author.module,
      compiled: [],
      ...(typeof manifest.value["generatedBy"] === "string" && { generatedBy: manifest.value["generatedBy"] }),
    },
    ...(isSchema(manifest.value["optionsSchema"]) && { optionsSchema: manifest.value["optionsSchema"] }),
  };
  const { report } = await runCheckProcess("contract", request, {
    ...setting,
    timeoutMs: CONTRACT_SHARE * setting.timeoutMs,
  });
  return { imports, contract: report as ContractReport | undefined };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}
