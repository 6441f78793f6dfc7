import type { ToolEntry } from "../contract/tool-source.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { compareText, createFinding } from "./create-finding.ts";
import type { Finding, ShadowedName, ToolRef } from "./discovery-report.ts";

/** Who gets a name that several tools claim. */
export interface NamePolicy {
  /** Tool name to the package key that gets it. */
  readonly prefer?: { readonly [toolName: string]: string };
  /** `warn` (the default) lets the first win; `error` refuses. */
  readonly onDuplicate?: "warn" | "error";
  /** Names whose preference waits for a person: where duplicates are refused, such a name belongs to nobody until then. */
  readonly undecided?: ReadonlySet<string>;
}

/** Names settled once; never changed, only replaced. */
export interface ResolvedNames {
  /** Owners of short names, sorted by name. */
  readonly byName: ReadonlyMap<string, ToolEntry>;
  /** Every tool, shadowed ones too. */
  readonly byId: ReadonlyMap<string, ToolEntry>;
  readonly shadowed: readonly ShadowedName[];
}

/**
 * Gives each short name one owner: explicit registration, then preference, packages by sorted key, directories, the rest.
 * @throws AiwError `tool_ambiguous` when duplicates are refused and neither code nor preference decides.
 */
export function resolveNames(entries: readonly ToolEntry[], policy: NamePolicy = {}): ResolvedNames {
  const prefer = new Map(Object.entries(policy.prefer ?? {}));
  const byId = new Map<string, ToolEntry>();
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry);
  const claims = Map.groupBy(byId.values(), ({ name }) => name);
  const withheld = policy.onDuplicate === "error" ? policy.undecided : undefined;
  const shadowed: ShadowedName[] = [];
  const owners: [string, ToolEntry][] = [];
  for (const [name, claimants] of claims) {
    const ranked = claimants.toSorted((a, b) => compareClaims(a, b, prefer.get(name)));
    const [winner, ...losers] = ranked;
    if (winner === undefined) continue;
    const rivalry = losers.length === 0 ? undefined : toShadowedName([winner, ...losers], prefer.get(name));
    if (rivalry !== undefined && withheld?.has(name) === true && isOpen(rivalry)) continue;
    owners.push([name, winner]);
    if (rivalry !== undefined) shadowed.push(rivalry);
  }
  if (policy.onDuplicate === "error") assertDecided(shadowed);
  return Object.freeze({
    byName: new Map(owners.toSorted(([a], [b]) => compareText(a, b))),
    byId,
    shadowed: Object.freeze(shadowed.toSorted((a, b) => compareText(a.name, b.name))),
  });
}

/** Says it of each loser, so that both packages and versions are named. */
export function toShadowedFindings({ name, winner, losers, rule }: ShadowedName): Finding[] {
  return losers.map((loser) =>
    createFinding({
      code: "name_shadowed",
      package: loser.package ?? loser.id,
      ...(loser.version !== undefined && { version: loser.version }),
      tool: name,
      reason: `${name} of ${describe(loser)} is hidden by ${describe(winner)} (${rule}).`,
      fix: fixOf(name, loser),
    }),
  );
}

function fixOf(name: string, loser: ToolRef): string {
  const call = `Call it as ${loser.id}`;
  if (loser.package === undefined) return `${call}.`;
  return `${call}, or set tools.prefer to { ${JSON.stringify(name)}: ${JSON.stringify(loser.package)} }.`;
}

function describe({ id, package: packageKey, version }: ToolRef): string {
  if (packageKey === undefined) return id;
  return version === undefined ? packageKey : `${packageKey} ${version}`;
}

function toShadowedName([winner, ...losers]: [ToolEntry, ...ToolEntry[]], preferred: string | undefined): ShadowedName {
  return {
    name: winner.name,
    winner: toRef(winner),
    losers: losers.map(toRef),
    rule: ruleOf(winner, losers, preferred),
  };
}

function ruleOf(winner: ToolEntry, losers: readonly ToolEntry[], preferred: string | undefined): ShadowedName["rule"] {
  if (winner.origin.source === "explicit") return "explicit";
  if (preferred !== undefined && winner.origin.package === preferred) return "prefer";
  return losers.every((loser) => sourceRank(loser) === sourceRank(winner)) ? "order" : "source";
}

function toRef({ id, origin }: ToolEntry): ToolRef {
  return {
    id,
    source: origin.source,
    ...(origin.package !== undefined && { package: origin.package }),
    ...(origin.version !== undefined && { version: origin.version }),
  };
}

/** Sorting is stable, so claims of one source keep the order in which it listed them. */
function compareClaims(a: ToolEntry, b: ToolEntry, preferred: string | undefined): number {
  const bySource = claimRank(a, preferred) - claimRank(b, preferred);
  if (bySource !== 0 || sourceRank(a) !== RANKS.get("package")) return bySource;
  return compareText(a.origin.package ?? "", b.origin.package ?? "");
}

function claimRank(entry: ToolEntry, preferred: string | undefined): number {
  const rank = sourceRank(entry);
  return rank > 0 && preferred !== undefined && entry.origin.package === preferred ? 0.5 : rank;
}

/** The project's own tools stand among the packages, by its name. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["explicit", 0],
  ["project", 1],
  ["package", 1],
  ["directory", 2],
]);

function sourceRank({ origin }: ToolEntry): number {
  return RANKS.get(origin.source) ?? RANKS.size;
}

/** Neither code nor preference says who gets the name. */
function isOpen({ rule }: ShadowedName): boolean {
  return rule === "order" || rule === "source";
}

function assertDecided(shadowed: readonly ShadowedName[]): void {
  const open = shadowed.filter(isOpen).toSorted((a, b) => compareText(a.name, b.name));
  if (open[0] === undefined) return;
  const lines = open.map(
    ({ name, winner, losers }) => `${name}: ${[winner, ...losers].map(({ id }) => id).join(", ")}`,
  );
  throw new AiwError("tool_ambiguous", `Several tools claim one name: ${lines.join("; ")}.`, {
    fix: `Set tools.prefer to { ${JSON.stringify(open[0].name)}: ${JSON.stringify(open[0].winner.package ?? open[0].winner.id)} }, or remove one package.`,
    details: { shadowed: open },
  });
}
