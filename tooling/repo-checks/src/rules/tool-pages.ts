import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { findWorkspaces } from "../repo/workspaces.ts";

/** What a plugin's manifest says that its page has to tell. */
export interface BuiltTool {
  readonly name: string;
  readonly parameters: readonly string[];
}

/** Finds tools that the page of their plugin does not name, and parameters that its tables leave out, where it has tables of parameters. */
export function checkToolPages(repo: Repo, built: (folder: string) => readonly BuiltTool[] | undefined): Finding[] {
  return findWorkspaces(repo)
    .filter(({ folder }) => folder.startsWith("plugins/"))
    .flatMap(({ folder }) => judgePage(repo, `${folder}/README.md`, built(folder) ?? []));
}

function judgePage(repo: Repo, file: string, tools: readonly BuiltTool[]): Finding[] {
  const lines = (repo.read(file) ?? "").split("\n");
  const rows = lines.filter((line) => line.startsWith("|"));
  const hasTables = rows.some((row) => row.startsWith("| parameter |"));
  const isTold = (name: string): boolean =>
    lines.some(
      (line) => line.includes(`\`${name}\``) || (line.startsWith("#") && line.split(/[\s,]+/u).includes(name)),
    );
  const isInTable = (name: string): boolean =>
    rows.some((row) => row.includes(`\`${name}\``) || row.includes(`\`${name}[]\``));
  const rule = "a plugin's page names every tool, and its tables every parameter";
  return tools.flatMap(({ name, parameters }) => [
    ...(isTold(name) ? [] : [{ file, rule, repair: `Say what \`${name}\` does.` }]),
    ...parameters
      .filter((parameter) => hasTables && !isInTable(parameter))
      .map((parameter) => ({ file, rule, repair: `Say what \`${parameter}\` of ${name} is.` })),
  ]);
}
