import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";

interface Forbidden {
  readonly pattern: RegExp;
  readonly repair: string;
}

/** Written in pieces, so that this file does not break its own rule. */
const FORBIDDEN: readonly Forbidden[] = [
  {
    pattern: new RegExp(`(?<![\\w.])/${"work"}/(?:main|shared|\\.\\w+)\\b`, "u"),
    repair: "Use a path relative to the repository or to the file; no other machine has this one.",
  },
  {
    pattern: new RegExp(`/(?:${"Users"}|${"home"})/[a-z][\\w-]*/(?:Documents|Desktop|projects|repos|code)\\b`, "u"),
    repair: "Use a path relative to the repository; no other machine has this one.",
  },
  {
    pattern: new RegExp(
      `\\b(?:${"registry"}\\.(?:npmjs|npmmirror|yarnpkg)\\.\\w+|npm\\.pkg\\.${"github"}\\.com)\\b`,
      "u",
    ),
    repair: "Leave the registry to the reader's own configuration.",
  },
  {
    pattern: new RegExp(`\\b_${"auth"}Token=[\\w-]{8,}|\\bnpm_[A-Za-z0-9]{36}\\b|\\bsk-[A-Za-z0-9_-]{32,}\\b`, "u"),
    repair: "Remove the secret, revoke it, and read it from the environment.",
  },
  {
    pattern: new RegExp(`(?://|\\*|#|<!--)\\s*(?:${"TO"}${"DO"}|${"FIX"}${"ME"}|X${"XX"})\\b`, "u"),
    repair: "Do it now, or open an issue: the code says what is, not what will be.",
  },
  {
    pattern: /\b(?:DESIGN|STYLE)\.md\b|\bspecs\/(?:style|discovery|tools|model-formats|security|dependencies)\.md\b/u,
    repair: "Refer to a page of this repository.",
  },
];

const SKIPPED = /(?:^|\/)(?:pnpm-lock\.yaml|LICENSE)$|\/__fixtures__\/|forbidden-words(?:\.test)?\.ts$/u;

/** Finds words that belong to one machine, one account, or another day. */
export function checkForbiddenWords(repo: Repo): Finding[] {
  return repo.files
    .filter((file) => !SKIPPED.test(file))
    .flatMap((file) =>
      (repo.read(file) ?? "").split("\n").flatMap((line, index) =>
        FORBIDDEN.filter(({ pattern }) => pattern.test(line)).map(({ pattern, repair }) => ({
          file: `${file}:${index + 1}`,
          rule: `no "${pattern.exec(line)?.[0] ?? ""}" in the repository`,
          repair,
        })),
      ),
    );
}
