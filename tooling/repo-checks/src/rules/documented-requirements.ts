import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { readExplainedWords } from "./documented-words.ts";

/** The page that says what each requirement means. */
export const REQUIREMENTS_PAGE = "docs/reference/security.md";

const SOURCE = /\.[cm]?[jt]sx?$/u;
const REQUIREMENT = /\bSEC-[A-Z]+-\d+\b/gu;
const RULE = `every requirement that code or a test cites has a row in ${REQUIREMENTS_PAGE}, and nothing else has`;

/** Finds cited requirements without a row and rows that no code or test cites. */
export function checkDocumentedRequirements(repo: Repo): Finding[] {
  const text = repo.read(REQUIREMENTS_PAGE);
  if (text === undefined) {
    return [
      { file: REQUIREMENTS_PAGE, rule: RULE, repair: "Write the page: one table row per id, which starts with `id`." },
    ];
  }
  const explained = readExplainedWords(text);
  const cited = findCitations(repo);
  const missing = [...cited]
    .filter(([id]) => !explained.has(id))
    .map(([id, file]) => ({
      file,
      rule: RULE,
      repair: `Add a row for \`${id}\` to ${REQUIREMENTS_PAGE} that says what holds, or correct the id.`,
    }));
  const stale = [...explained]
    .filter((id) => !cited.has(id))
    .map((id) => ({
      file: REQUIREMENTS_PAGE,
      rule: RULE,
      repair: `No code or test cites \`${id}\`: cite it where it is kept, or remove its row.`,
    }));
  return [...missing, ...stale];
}

/** Ids with the first file that cites each. */
function findCitations(repo: Repo): Map<string, string> {
  const cited = new Map<string, string>();
  for (const file of repo.files.filter((each) => SOURCE.test(each))) {
    for (const [id] of (repo.read(file) ?? "").matchAll(REQUIREMENT)) {
      if (!cited.has(id)) cited.set(id, file);
    }
  }
  return cited;
}
