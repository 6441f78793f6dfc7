import type { ToolsConfig } from "../config/aiw-config.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import { createFinding } from "./create-finding.ts";
import type { Finding } from "./discovery-report.ts";
import { createSelection } from "./match-tool.ts";
import type { ReadEntries } from "./read-sources.ts";

/** Leaves out what configuration switches off, and says so of each tool. */
export function selectEntries(
  entries: readonly ToolEntry[],
  { enabled, disabled }: Pick<ToolsConfig, "enabled" | "disabled">,
): ReadEntries {
  const selection = createSelection({ ...(enabled && { enabled }), ...(disabled && { disabled }) });
  const isAllowed = createSelection({ ...(disabled && { disabled }) });
  const wanted: ToolEntry[] = [];
  const findings: Finding[] = [];
  for (const entry of entries) {
    if (selection.isWanted(entry)) wanted.push(entry);
    else findings.push(toFinding(entry, isAllowed.isWanted(entry)));
  }
  return { entries: wanted, findings };
}

function toFinding({ id, name, origin }: ToolEntry, isAllowed: boolean): Finding {
  return createFinding({
    code: "disabled_by_config",
    package: origin.package ?? id,
    ...(origin.version !== undefined && { version: origin.version }),
    tool: name,
    reason: isAllowed ? `${id} is not among tools.enabled.` : `${id} is switched off by tools.disabled.`,
    fix: isAllowed
      ? `Add ${JSON.stringify(id)} to tools.enabled to offer it.`
      : "Remove it from tools.disabled to offer it.",
  });
}
