import type { ToolEntry, ToolSource } from "../contract/tool-source.ts";
import type { Tool } from "../contract/tool.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { validateSpec } from "../schema/validate-spec.ts";
import { isReportingSource } from "./compose-report.ts";
import { createEntry } from "./create-entry.ts";
import { createFinding, quote, toShownError, toShownText } from "./create-finding.ts";
import type { DiscoveryCode } from "./discovery-codes.ts";
import type { Finding } from "./discovery-report.ts";

/** Entries in an order that never depends on timing, and why there are not more. */
export interface ReadEntries {
  readonly entries: readonly ToolEntry[];
  readonly findings: readonly Finding[];
}

/** What each source gave. */
export interface ReadSources extends ReadEntries {
  readonly listed: ReadonlyMap<ToolSource, readonly ToolEntry[]>;
}

/** What is asked of sources, and what is known of them. */
export interface ReadSourcesOptions {
  /** What they listed before: they are not asked for that again. */
  readonly known?: ReadSources["listed"];
  /** What stands for a source that fails; one without it counts as not asked. */
  readonly fallback?: ReadSources["listed"];
  /** Also asks for the tools that running code can name. */
  readonly expand?: boolean;
}

/**
 * Asks every source in turn, and then all at once for what running code can name; one that fails is reported and harms no other.
 * @throws AiwError what a source says of the whole project.
 */
export async function readSources(
  sources: readonly ToolSource[],
  { known, fallback = known, expand = false }: ReadSourcesOptions = {},
): Promise<ReadSources> {
  const listed = new Map<ToolSource, readonly ToolEntry[]>();
  const findings: Finding[] = [];
  for (const { source, entries, error } of await readAll(sources, { known, expand })) {
    if (entries === undefined && AiwError.is(error)) throw error;
    const given = entries ?? fallback?.get(source);
    if (given !== undefined) listed.set(source, given);
    if (entries === undefined) findings.push(toFailureFinding(source.name, error));
  }
  return { entries: withoutTwins([...listed.values()].flat(), findings), findings, listed };
}

/** What one source gave, or what it failed with. */
interface Reading {
  readonly source: ToolSource;
  readonly entries?: readonly ToolEntry[];
  readonly error?: unknown;
}

/** Lists one after the other; code that hangs in one source must not hold up another. */
function readAll(sources: readonly ToolSource[], { known, expand = false }: ReadSourcesOptions): Promise<Reading[]> {
  let former: Promise<unknown> = Promise.resolve();
  const readings = sources.map(async (source): Promise<Reading> => {
    const listing = former.then(() => known?.get(source) ?? source.list());
    former = listing.catch(() => undefined);
    try {
      const listed = await listing;
      return { source, entries: checkEntries((expand ? await source.expand?.() : undefined) ?? listed) };
    } catch (error) {
      return { source, error };
    }
  });
  return Promise.all(readings);
}

/** Two sources that list one id would hide one of its tools from everybody. */
function withoutTwins(entries: readonly ToolEntry[], findings: Finding[]): readonly ToolEntry[] {
  const first = new Map<string, ToolEntry>();
  for (const entry of entries) {
    const known = first.get(entry.id);
    if (known === undefined) first.set(entry.id, entry);
    else if (!isSamePlace(entry, known)) findings.push(toTwinFinding(entry, known));
  }
  return [...first.values()];
}

/** A directory that is configured and scanned too gives the same tool twice. */
function isSamePlace({ origin }: ToolEntry, { origin: other }: ToolEntry): boolean {
  return origin.directory !== undefined && origin.directory === other.directory && origin.source === other.source;
}

function toTwinFinding({ id, name, origin }: ToolEntry, first: ToolEntry): Finding {
  const where = first.origin.directory ?? first.origin.source;
  return createFinding({
    code: "tool_name_collision",
    package: origin.package ?? id,
    ...(origin.version !== undefined && { version: origin.version }),
    ...(origin.directory !== undefined && { dir: origin.directory }),
    tool: name,
    reason: `${toShownText(id)} is the id of a tool of ${where} already; this one answers to no name.`,
    fix: "Rename one of the two folders or files, or remove it.",
  });
}

/** Sources are other people's code: what is no entry must fail here, where it is known whose it is. */
function checkEntries(listed: readonly ToolEntry[]): readonly ToolEntry[] {
  for (const entry of listed as readonly (Partial<ToolEntry> | null)[]) {
    const { id, name, origin, load } = entry ?? {};
    const isEntry =
      typeof id === "string" &&
      typeof name === "string" &&
      typeof origin?.source === "string" &&
      typeof load === "function";
    if (!isEntry) throw new TypeError(`The source listed what is no entry: ${quote(entry)}`);
  }
  return listed;
}

/** Loads the entries whose definition only code can tell; those that fail are left out. */
export async function loadSpecs(entries: readonly ToolEntry[], sources: readonly ToolSource[]): Promise<ReadEntries> {
  // A reporting source puts its own failures into its report.
  const isReported = sources.some((source) => isReportingSource(source));
  const findings: Finding[] = [];
  const load = async (entry: ToolEntry): Promise<readonly ToolEntry[]> => {
    if (entry.spec !== undefined) return [entry];
    try {
      return [withSpec(entry, await entry.load())];
    } catch (error) {
      if (!isReported || !hasFinding(error)) findings.push(toEntryFinding(entry, error));
      return [];
    }
  };
  const loaded = await Promise.all(entries.map(load));
  return { entries: loaded.flat(), findings };
}

/** Why the code of a tool could not be loaded. */
export function toEntryFinding({ id, name, origin }: ToolEntry, error: unknown): Finding {
  return toFailureFinding(origin.package ?? id, error, name);
}

function withSpec(entry: ToolEntry, tool: Tool): ToolEntry {
  const issues = validateSpec(tool.spec);
  if (issues.length > 0 || tool.spec.name !== entry.name) {
    const [issue] = issues;
    const what =
      issue === undefined ? `answers to the name ${tool.spec.name}` : `${issue.pointer || "/"} ${issue.message}`;
    throw new AiwError("tool_definition_invalid", `The loaded tool ${entry.id}: ${what}.`);
  }
  const { id, name, origin, options } = entry;
  return createEntry({
    id,
    name,
    origin,
    options,
    spec: tool.spec,
    ...(entry.isLoaded && { isLoaded: () => entry.isLoaded?.() === true }),
    ...(entry.resolveCode && { resolveCode: entry.resolveCode }),
    load: () => entry.load(),
  });
}

function hasFinding(error: unknown): boolean {
  return AiwError.is(error) && error.details?.["finding"] !== undefined;
}

function toFailureFinding(packageKey: string, error: unknown, tool?: string): Finding {
  const code: DiscoveryCode =
    AiwError.is(error) && error.code === "tool_definition_invalid" ? error.code : "load_failed";
  return createFinding({
    code,
    package: packageKey,
    ...(tool !== undefined && { tool }),
    reason: toShownError(error),
    fix: (AiwError.is(error) ? error.fix : undefined) ?? "Correct the cause and start again.",
  });
}
