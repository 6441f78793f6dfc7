import { deepStrictEqual, ok } from "node:assert/strict";
import { contractChecks, listChecks, toolChecks } from "./contract-checks.ts";
import type { ContractCheck } from "./contract-check.ts";
import type { BuiltPackage, ContractSubject } from "./contract-subject.ts";
import { loadPackage } from "./load-package.ts";
import { packageJsonChecks } from "./package-json-checks.ts";

/**
 * Gives the contract of tools, or of a built package, as a list of checks: with `packageDir` alone its tools are found,
 * compared with its manifest and loaded as a host does.
 */
export async function toolPackageChecks(subject: ContractSubject | BuiltPackage): Promise<ContractCheck[]> {
  return subject.tools === undefined ? builtChecks(subject) : contractChecks(subject);
}

async function builtChecks(subject: BuiltPackage): Promise<ContractCheck[]> {
  ok(subject.packageDir !== undefined, "Give the tools, or the folder of a built package as packageDir.");
  const { tools, optionsSchema, problems } = await loadPackage(subject.packageDir);
  const loaded = tools.flatMap((listed) => ("tool" in listed ? [listed.tool] : []));
  return [
    { name: "is understood by a host", run: async () => deepStrictEqual(problems, []) },
    ...tools.map((listed) => ({
      name: `${listed.name} is loaded by a host as it was listed`,
      run: async () => ok("tool" in listed, "problem" in listed ? listed.problem : ""),
    })),
    // A tool that could not be loaded is told of above, once.
    ...(problems.length > 0 || loaded.length < tools.length ? [] : listChecks(loaded, optionsSchema)),
    ...loaded.flatMap((tool) => toolChecks(tool, subject)),
    ...packageJsonChecks(subject.packageDir),
  ];
}
