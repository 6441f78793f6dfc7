import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { judgeCommand } from "./commands.ts";

const FILE = "AGENTS.md";
const MAX_LINES = 100;

/** Finds what makes the guide long or untrue. */
export function checkAgentsGuide(repo: Repo): Finding[] {
  const text = repo.read(FILE);
  if (text === undefined) return [{ file: FILE, rule: "there is a guide", repair: `Write ${FILE}.` }];
  const lines = text.trimEnd().split("\n").length;
  const findings: Finding[] = [];
  if (lines > MAX_LINES) {
    const repair = `It has ${lines}: let a check or a page under docs/ say what is beyond.`;
    findings.push({ file: FILE, rule: `at most ${MAX_LINES} lines`, repair });
  }
  for (const [, code = ""] of text.matchAll(/`(?<code>[^`\n]+)`/gu)) {
    if (/^(?:npx|pnpm|aiw)\s/u.test(code)) findings.push(...judgeCommand(repo, FILE, code));
    else if (isPath(code) && !exists(repo, code)) {
      findings.push({ file: FILE, rule: "every path in it exists", repair: `Correct or remove \`${code}\`.` });
    }
  }
  return findings;
}

/** A path has a slash or an extension of ours, and nothing that makes it a pattern, a name or a code. */
function isPath(code: string): boolean {
  return (
    /^[\w./-]+$/u.test(code) && (/^[\w.-]+\/[\w./-]*$/u.test(code) || /^[\w.-]+\.(?:md|json|ts|yaml)$/u.test(code))
  );
}

function exists(repo: Repo, name: string): boolean {
  const plain = name.replace(/^\.\//u, "").replace(/\/$/u, "");
  return repo.files.some((file) => file === plain || file.startsWith(`${plain}/`));
}
