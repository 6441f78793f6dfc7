import path from "node:path";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";

const FOLDER = "docs/decisions/";

/** Finds decisions whose number is taken, left out, or another one in the title. */
export function checkDecisions(repo: Repo): Finding[] {
  const files = repo.files.filter((file) => file.startsWith(FOLDER));
  return files.flatMap((file, index) => {
    const expected = String(index + 1).padStart(3, "0");
    const number = /^(?<number>\d{3})-[a-z0-9-]+\.md$/u.exec(path.posix.basename(file))?.groups?.["number"];
    const rule = "decisions are numbered 001, 002 … in their names and titles";
    if (number !== expected)
      return [{ file, rule, repair: `Name it ${expected}-words-of-it.md: numbers have neither twins nor gaps.` }];
    if ((repo.read(file) ?? "").startsWith(`# ${number}: `)) return [];
    return [{ file, rule, repair: `Begin it with "# ${number}: ".` }];
  });
}
