import type { InstalledPackage, PackageGraph } from "./installed-package.ts";

/** A package and how the project comes to have it. */
export interface ReachedPackage {
  readonly one: InstalledPackage;
  /** `own`: the project names it; `transitive`: something it names needs it; `other`: neither. */
  readonly how: "own" | "transitive" | "other";
  /** Who depends on it, on the shortest way; absent for what nobody depends on. */
  readonly by: InstalledPackage | undefined;
}

/** Walks from the project's own packages, then from whatever else is there; the shortest way counts. */
export function walkPackages({ own, others }: PackageGraph): ReachedPackage[] {
  const reached = new Map<string, ReachedPackage>();
  walk(toStart(own, "own"), "transitive", reached);
  const rest = others.filter(({ realDir }) => !reached.has(realDir));
  const needed = new Set(rest.flatMap((one) => one.dependencies().map(({ realDir }) => realDir)));
  // What another one depends on is reached through that one, and so can say who brought it.
  walk(
    toStart(
      rest.filter(({ realDir }) => !needed.has(realDir)),
      "other",
    ),
    "other",
    reached,
  );
  walk(toStart(rest, "other"), "other", reached);
  return [...reached.values()];
}

function toStart(packages: readonly InstalledPackage[], how: ReachedPackage["how"]): ReachedPackage[] {
  return packages.map((one) => ({ one, how, by: undefined }));
}

/** Breadth first, without recursion: a tree of packages may be deep, and has cycles. */
function walk(
  start: readonly ReachedPackage[],
  how: ReachedPackage["how"],
  reached: Map<string, ReachedPackage>,
): void {
  let level = start;
  while (level.length > 0) {
    const next: ReachedPackage[] = [];
    for (const candidate of level) {
      const { one } = candidate;
      if (reached.has(one.realDir)) continue;
      reached.set(one.realDir, candidate);
      next.push(...one.dependencies().map((dependency) => ({ one: dependency, how, by: one })));
    }
    level = next;
  }
}
