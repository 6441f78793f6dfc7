import type { Finding } from "../repo/finding.ts";
import { readImports } from "../repo/imports.ts";
import type { Repo } from "../repo/repo.ts";
import { isSource } from "../repo/workspaces.ts";

const CONTRACT = "packages/core/src/contract/";
const MAX_LINES = 600;

/** Finds anything that makes the contract more than one import away, or more than one sitting long. */
export function checkContractIsAlone(repo: Repo): Finding[] {
  const files = repo.files.filter((file) => file.startsWith(CONTRACT) && isSource(file));
  const findings = files.flatMap((file) =>
    readImports(file, repo.read(file) ?? "")
      .filter(({ specifier }) => !/^\.\/[^/]+\.ts$/u.test(specifier) && specifier !== "@standard-schema/spec")
      .map(({ specifier }) => ({
        file,
        rule: "contract/ imports nothing outside itself",
        repair: `Do without "${specifier}": the contract is plain types that every copy of it can share.`,
      })),
  );
  const lines = files.reduce((sum, file) => sum + countLines(repo.read(file) ?? ""), 0);
  if (lines <= MAX_LINES) return findings;
  const repair = `It has ${lines} lines: move what is not the promise itself to another room.`;
  return [...findings, { file: CONTRACT, rule: `contract/ has at most ${MAX_LINES} lines`, repair }];
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
