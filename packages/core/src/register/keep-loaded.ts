import type { Tool } from "../contract/tool.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { isDifferent, type KeptTools } from "./compare-entries.ts";
import { createEntry } from "./create-entry.ts";
import { createFinding } from "./create-finding.ts";
import type { Finding } from "./discovery-report.ts";

/** Entries by the package they are of. */
export type PackageEntries = ReadonlyMap<string, readonly ToolEntry[]>;

/** A package that changed after its code had run. */
export interface KeptPackage extends KeptTools {
  /** The version that is running. */
  readonly version: string | undefined;
  readonly tools: readonly string[];
}

/** Entries to use, and what could not be exchanged. */
export interface KeptEntries {
  readonly entries: readonly ToolEntry[];
  readonly kept: readonly KeptPackage[];
  /** For the next time: packages in use, and those that are gone but whose code is still in memory. */
  readonly inUse: PackageEntries;
}

/** The entries that refuse to load, and what they stand for. */
const originals = new WeakMap<ToolEntry, ToolEntry>();

/**
 * Lets every package switch whose code has not run. Code cannot be unloaded: a changed package whose code has run keeps its
 * former definitions and code; its options are those of now, so that whatever they forbid is forbidden at once.
 */
export function keepLoaded(listed: readonly ToolEntry[], former: PackageEntries): KeptEntries {
  const entries: ToolEntry[] = [];
  const kept: KeptPackage[] = [];
  const inUse = new Map([...former].filter(([, before]) => before.some(isLoaded)));
  for (const [key, now] of Map.groupBy(listed, toPackageKey)) {
    const before = former.get(key) ?? [];
    const isStale = before.some(isLoaded) && isPackageChanged(before, now);
    const used = isStale ? before.map((entry) => hold(entry, now)) : now;
    if (isStale) kept.push(toKept(before, now));
    inUse.set(key, used);
    entries.push(...used);
  }
  return { entries, kept, inUse };
}

/** Folders of one name in two directories are two packages; an installed package is one wherever it lies. */
function toPackageKey({ id, origin }: ToolEntry): string {
  const place = origin.source === "directory" ? (origin.directory ?? "") : "";
  return [origin.source, origin.package ?? id, place].join("\0");
}

function isLoaded(entry: ToolEntry): boolean {
  return entry.isLoaded?.() === true;
}

/** A definition that is not known is no difference: code that has run tells what it told before. */
function isPackageChanged(before: readonly ToolEntry[], now: readonly ToolEntry[]): boolean {
  if (before[0]?.origin.version !== now[0]?.origin.version) return true;
  const known = new Map(before.map((entry) => [entry.id, entry]));
  return now.some(({ id, spec }) => {
    const former = known.get(id);
    if (former === undefined) return true;
    return former.spec !== undefined && spec !== undefined && isDifferent(former.spec, spec);
  });
}

/** A tool whose code has run works on; one whose code has not would run another version's. */
function hold(entry: ToolEntry, [now]: readonly ToolEntry[]): ToolEntry {
  const original = originals.get(entry) ?? entry;
  if (original !== entry && !isDifferent(entry.options, now?.options)) return entry;
  const load = (): Promise<Tool> => (isLoaded(original) ? original.load() : Promise.reject(toError(original, now)));
  const { id, name, origin, spec } = original;
  const held = createEntry({
    id,
    name,
    origin,
    ...(spec && { spec }),
    options: now?.options,
    isLoaded: () => isLoaded(original),
    load,
  });
  originals.set(held, original);
  return held;
}

function toError(entry: ToolEntry, now: ToolEntry | undefined): AiwError {
  const finding = toFinding(entry, now, entry.name);
  return new AiwError("load_failed", `${entry.id}: ${finding.reason}`, { fix: finding.fix, details: { finding } });
}

function toKept(before: readonly ToolEntry[], [now]: readonly ToolEntry[]): KeptPackage {
  const [first] = before;
  return {
    version: first?.origin.version,
    tools: before.map(({ name }) => name),
    ids: before.map(({ id }) => id),
    note: toFinding(first, now),
  };
}

function toFinding(before: ToolEntry | undefined, now: ToolEntry | undefined, tool?: string): Finding {
  const packageKey = before?.origin.package ?? before?.id ?? "";
  const from = before?.origin.version;
  const to = now?.origin.version;
  const what =
    from === to ? `${packageKey} is different on disk` : `${packageKey} ${to ?? "without a version"} is installed`;
  return createFinding({
    code: "restart_required",
    package: packageKey,
    ...(from !== undefined && { version: from }),
    ...(now?.origin.directory !== undefined && { dir: now.origin.directory }),
    ...(tool !== undefined && { tool }),
    reason: `${what}, but code of ${from ?? "the former one"} runs in this process and cannot be unloaded.`,
    fix: "Start again to use what is installed.",
  });
}
