import type { ToolEntry } from "../contract/tool-source.ts";
import type { Finding } from "./discovery-report.ts";
import { toEntryFinding } from "./read-sources.ts";
import type { RegistryState } from "./registry-state.ts";

/** Loads the code of everything that is offered; what fails is in the report of its source, or among the findings. */
export async function loadCode(state: RegistryState): Promise<RegistryState> {
  const offered = new Set(state.entries.map(({ id }) => id));
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

function keyOf({ code, package: packageKey, tool = "" }: Finding): string {
  return [code, packageKey, tool].join("\0");
}
