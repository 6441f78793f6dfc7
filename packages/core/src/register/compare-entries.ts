import type { ToolEntry } from "../contract/tool-source.ts";
import { toCanonicalJson } from "../schema/canonical-json.ts";
import type { ToolsChange } from "./change-listeners.ts";
import { compareText } from "./create-finding.ts";
import type { Finding } from "./discovery-report.ts";

/** Tools of a package that changed after its code had run. */
export interface KeptTools {
  readonly ids: readonly string[];
  /** Says which version runs and which is installed. */
  readonly note: Finding;
}

/** What was offered at one moment, and what could not be exchanged then. */
export interface OfferedTools {
  readonly byId: ReadonlyMap<string, ToolEntry>;
  readonly kept: readonly KeptTools[];
}

/** Says which tools came, went, or are another version, definition or configuration. */
export function compareTools({ byId: before, kept: keptBefore }: OfferedTools, now: OfferedTools): ToolsChange {
  const after = now.byId;
  const added = [...after.keys()].filter((id) => !before.has(id));
  const removed = [...before.keys()].filter((id) => !after.has(id));
  const changed = [...after.values()].filter((entry) => isChanged(before.get(entry.id), entry)).map(({ id }) => id);
  const known = new Set(keptBefore.map(({ note }) => note.reason));
  const kept = now.kept
    .filter(({ note }) => !known.has(note.reason))
    .flatMap(({ ids }) => ids.filter((id) => after.has(id)));
  return {
    added: added.toSorted(compareText),
    removed: removed.toSorted(compareText),
    changed: changed.toSorted(compareText),
    restartRequired: kept.toSorted(compareText),
  };
}

/** True unless both are equal as JSON; what is no JSON equals only itself. */
export function isDifferent(a: unknown, b: unknown): boolean {
  if (a === b) return false;
  if (a === undefined || b === undefined) return true;
  try {
    return JSON.stringify(a) !== JSON.stringify(b) && toCanonicalJson(a) !== toCanonicalJson(b);
  } catch {
    return true;
  }
}

function isChanged(before: ToolEntry | undefined, after: ToolEntry): boolean {
  if (before === undefined || before === after) return false;
  return (
    before.origin.version !== after.origin.version ||
    isDifferent(before.spec, after.spec) ||
    isDifferent(before.options, after.options)
  );
}
