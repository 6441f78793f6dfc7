import type { IsolationConfig } from "../config/isolation-config.ts";
import { resolveIsolation } from "../config/resolve-isolation.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import type { Finding } from "./discovery-report.ts";
import { toEntryFinding } from "./read-sources.ts";
import type { RegistryState } from "./registry-state.ts";

/**
 * Loads the code of everything that is offered; what fails is in the report of its source, or among the findings. Code
 * of isolated packages stays out of this process.
 */
export async function loadCode(state: RegistryState, isolation: IsolationConfig | undefined): Promise<RegistryState> {
  const offered = new Set(state.entries.filter((entry) => !isIsolated(entry, isolation)).map(({ id }) => id));
  const failed: Finding[] = [];
  const load = async (entry: ToolEntry): Promise<void> => {
    if (!offered.has(entry.id)) return;
    await entry.load().catch((error: unknown) => void failed.push(toEntryFinding(entry, error)));
  };
  await Promise.all(
    [...state.bySource].map(async ([source, entries]) =>
      source.loadCode === undefined
        ? await Promise.all(entries.map(load))
        : await source.loadCode((id) => offered.has(id)),
    ),
  );
  const said = new Set(failed.map(keyOf));
  return { ...state, findings: [...state.findings.filter((finding) => !said.has(keyOf(finding))), ...failed] };
}

function isIsolated({ origin }: ToolEntry, isolation: IsolationConfig | undefined): boolean {
  return origin.package !== undefined && resolveIsolation(isolation, origin.package).mode === "isolated";
}

function keyOf({ code, package: packageKey, tool = "" }: Finding): string {
  return [code, packageKey, tool].join("\0");
}
