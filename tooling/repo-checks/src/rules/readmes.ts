import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { findWorkspaces, type Workspace } from "../repo/workspaces.ts";

/** Finds packages whose front page does not introduce them. */
export function checkReadmes(repo: Repo): Finding[] {
  const root = repo.read("README.md") ?? "";
  return findWorkspaces(repo).flatMap((workspace) => [
    ...judgeOpening(repo, workspace),
    ...judgeRow(root, workspace),
    ...judgeAdapter(repo, workspace),
  ]);
}

function judgeOpening(repo: Repo, { folder, manifest }: Workspace): Finding[] {
  const file = `${folder}/README.md`;
  const opening = `# ${manifest.name}\n\n${manifest.description ?? ""}\n`;
  const isSentence = /^[A-Z][^\n]*\.$/u.test(manifest.description ?? "");
  if (isSentence && `${repo.read(file) ?? ""}\n`.startsWith(opening)) return [];
  const rule = "a README opens with the package's name and the one sentence that is its `description`";
  return [{ file, rule, repair: `Begin it with ${JSON.stringify(opening)}.` }];
}

function judgeRow(root: string, { manifest }: Workspace): Finding[] {
  if (manifest.private === true) return [];
  const row = new RegExp(`^\\|[^|\\n]*${manifest.name.replaceAll("/", "\\/")}\\b`, "mu");
  if (row.test(root)) return [];
  const rule = "every published package has a row in the root README's table";
  return [{ file: "README.md", rule, repair: `Add a row that starts with ${manifest.name}.` }];
}

/** Adapters stay thin when their front page says what must not live there. */
function judgeAdapter(repo: Repo, { folder }: Workspace): Finding[] {
  const tags = (JSON.parse(repo.read(`${folder}/turbo.json`) ?? "{}") as { tags?: readonly string[] }).tags ?? [];
  const file = `${folder}/README.md`;
  if (!tags.includes("adapter") || /does not belong here/iu.test(repo.read(file) ?? "")) return [];
  const repair = 'Add a section "What does not belong here".';
  return [{ file, rule: "an adapter's README says what does not belong in it", repair }];
}
