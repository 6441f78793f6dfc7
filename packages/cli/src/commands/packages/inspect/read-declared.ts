import * as path from "node:path";
import { readFile } from "node:fs/promises";
import { AiwError, type Finding, type ToolEntry } from "@aiw/core";
import { createLock, listTools, type LockedPackage, type ToolListing } from "@aiw/core/node";
import { isRecord, readPackageJson, type JsonRecord } from "../open-package-project.ts";
import type { InspectedPackage, InspectedTool, PackageFacts } from "./inspected-package.ts";

/** What a folder of installed packages declares, read by core; no code of them runs. */
export interface DeclaredPackages {
  readonly listing: ToolListing;
  readonly locked: ReadonlyMap<string, LockedPackage>;
}

/** Nothing of the machine and nobody's trust decides what is shown. */
const NEUTRAL = { environment: {}, trust: { isTrusted: () => false } };

/** Reads what the packages of a scratch project declare. */
export async function readDeclared(projectDir: string): Promise<DeclaredPackages> {
  const options = { projectDir, production: false };
  const listing = await listTools(options, NEUTRAL);
  try {
    return { listing, locked: (await createLock(options, NEUTRAL)).lock.packages };
  } catch (error) {
    // What cannot be pinned is among the findings.
    if (AiwError.is(error)) return { listing, locked: new Map() };
    throw error;
  }
}

/** What of a package's declaration is shown. */
export type Declared = Pick<
  InspectedPackage,
  "form" | "tools" | "requiredOptions" | "facts" | "problems" | "notes" | "locked"
>;

/** What one package declares. */
export async function toDeclared(name: string, dir: string, { listing, locked }: DeclaredPackages): Promise<Declared> {
  const { report, entries } = listing;
  const found = report.found.find(({ id }) => id === name);
  const pinned = locked.get(name);
  const packageJson = await readPackageJson(dir);
  const about = (findings: readonly Finding[]): Finding[] => findings.filter((one) => one.package === name);
  return {
    ...(found !== undefined && { form: found.form }),
    tools: listDeclared({ pinned, names: found?.tools ?? [], entries, name }),
    requiredOptions: found?.form === "manifest" ? await readRequiredOptions(dir, packageJson) : [],
    facts: readFacts(packageJson),
    problems: about([...report.rejected, ...report.missing]).filter(({ severity }) => severity === "error"),
    // Options are said in a line of their own; a scratch project has none.
    notes: [...about(report.rejected), ...(found?.notes ?? [])].filter(
      ({ severity, code }) => severity !== "error" && code !== "options_missing" && code !== "slow_declaration",
    ),
    ...(pinned !== undefined && { locked: pinned }),
  };
}

function listDeclared(declared: {
  readonly pinned: LockedPackage | undefined;
  readonly names: readonly string[];
  readonly entries: readonly ToolEntry[];
  readonly name: string;
}): InspectedTool[] {
  const { pinned, names, entries, name } = declared;
  const specs = new Map(
    entries.flatMap((entry) =>
      entry.origin.package === name && entry.spec !== undefined ? [[entry.name, entry.spec] as const] : [],
    ),
  );
  const all = new Set([...(pinned?.tools.keys() ?? []), ...names]);
  return [...all].toSorted().map((tool) => {
    const spec = pinned?.tools.get(tool)?.spec ?? specs.get(tool);
    return { name: tool, ...(spec !== undefined && { spec }) };
  });
}

/** Core has accepted the manifest already, its path included. */
async function readRequiredOptions(dir: string, { aiwhisperer }: JsonRecord): Promise<string[]> {
  const file = isRecord(aiwhisperer) ? aiwhisperer["tools"] : undefined;
  if (typeof file !== "string" || !file.endsWith(".json")) return [];
  const manifest: unknown = JSON.parse((await readFile(path.join(dir, file), "utf8")).replace(/^\uFEFF/, ""));
  const schema = isRecord(manifest) ? manifest["optionsSchema"] : undefined;
  const required = isRecord(schema) ? schema["required"] : undefined;
  return Array.isArray(required) ? required.map(String) : [];
}

function readFacts({ license, repository, engines }: JsonRecord): PackageFacts {
  const url = isRecord(repository) ? repository["url"] : repository;
  const node = isRecord(engines) ? engines["node"] : undefined;
  return {
    ...(typeof license === "string" && { license }),
    ...(typeof url === "string" && { repository: url }),
    ...(typeof node === "string" && { node }),
  };
}
