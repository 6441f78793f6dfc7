import type { ToolResult } from "@aiw/core";
import { showName } from "../files/show-name.ts";
import type { Direction, RestoredPath, RevertOutput } from "./revert-schema.ts";

/** Says in a few lines what went back: `Undid edit of src/a.ts (+3 −1)`. */
export function previewRevert(direction: Direction, result: ToolResult<RevertOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { restored, dry_run } = result.value;
  const verb = dry_run === true ? `Would ${direction}` : direction === "undo" ? "Undid" : "Redid";
  const [only] = restored;
  if (only === undefined) return [`${verb} nothing`];
  if (restored.length === 1) return [`${verb} ${describe(only)}`].slice(0, maxLines);
  const shown = maxLines > restored.length ? restored.length : Math.max(0, maxLines - 2);
  const lines = restored.slice(0, shown).map((one) => `  ${describe(one)}`);
  const rest = restored.length - shown;
  return [`${verb} ${restored.length} changes`, ...lines, ...(rest > 0 && shown > 0 ? [`  … ${rest} more`] : [])].slice(
    0,
    maxLines,
  );
}

function describe({ tool, path, from, additions, deletions, merged }: RestoredPath): string {
  const name = from === undefined ? showName(path) : `${showName(from)} to ${showName(path)}`;
  const counts = additions === undefined && deletions === undefined ? "" : ` (+${additions ?? 0} −${deletions ?? 0})`;
  return `${tool === undefined ? "" : `${tool} of `}${name}${counts}${merged === true ? ", merged" : ""}`;
}
