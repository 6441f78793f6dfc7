import type { Finding } from "../repo/finding.ts";
import { localImports } from "../repo/imports.ts";
import type { Repo } from "../repo/repo.ts";

/** Finds circles of imports, type-only ones included. */
export function checkImportCycles(repo: Repo): Finding[] {
  const edges = new Map<string, readonly string[]>();
  for (const file of repo.files) {
    if (/\/src\/.*\.ts$/u.test(file)) edges.set(file, localImports(repo, file));
  }
  return findCircles(edges).map((circle) => ({
    file: circle[0] ?? "",
    rule: "no import cycle, types included",
    repair: `Break ${[...circle, circle[0]].join(" -> ")}: move what both sides need to a third file.`,
  }));
}

/** One circle for each file that closes one, by depth-first walk. */
function findCircles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const walk = (file: string): void => {
    if (done.has(file)) return;
    const start = trail.indexOf(file);
    if (start !== -1) {
      circles.push(trail.slice(start));
      return;
    }
    trail.push(file);
    for (const next of edges.get(file) ?? []) walk(next);
    trail.pop();
    done.add(file);
  };
  for (const file of edges.keys()) walk(file);
  return circles;
}
