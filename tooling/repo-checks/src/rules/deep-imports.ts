import type { Finding } from "../repo/finding.ts";
import { readImports } from "../repo/imports.ts";
import type { Repo } from "../repo/repo.ts";
import { findWorkspaces } from "../repo/workspaces.ts";

/** Finds imports of our packages past their doors, which `turbo boundaries` lets through. */
export function checkDeepImports(repo: Repo): Finding[] {
  const doors = new Set<string>();
  for (const { manifest } of findWorkspaces(repo)) {
    for (const key of Object.keys(manifest.exports ?? {})) doors.add(manifest.name + key.slice(1));
  }
  return repo.files
    .filter((file) => /\.(?:ts|js|mjs)$/u.test(file) && !file.includes("/__fixtures__/"))
    .flatMap((file) =>
      readImports(file, repo.read(file) ?? "")
        .filter(({ specifier }) => specifier.startsWith("@aiw/") && !doors.has(specifier))
        .map(({ specifier }) => ({
          file,
          rule: "our packages are entered by their doors only",
          repair: `Import from a door of the package instead of "${specifier}"; if no door has it, it is not public.`,
        })),
    );
}
