import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import type { CheckFinding } from "../scorecard.ts";
import type { CheckSubject } from "../subject.ts";
import { membersOf, quote, warn } from "./finding.ts";

const WORKFLOWS = [".github", "workflows"];
const MAX_WORKFLOWS = 100;
const PUBLISHES =
  /\b(?:(?:npm|pnpm|yarn npm|bun|changeset|lerna|nx release|release-it|semantic-release)\b[^\n]*\bpublish\b|semantic-release|release-it|changesets\/action)/;

/** A workflow that publishes with an identity of its own, so that the registry can tell where a version was built. */
export async function judgeProvenance({ dir, packed: { packageJson } }: CheckSubject): Promise<CheckFinding[]> {
  const config = new Map(membersOf(packageJson["publishConfig"]));
  const releases = (await readWorkflows(dir)).filter(({ text }) => PUBLISHES.test(text));
  const [release] = releases;
  if (release === undefined) {
    const reason = "No workflow in .github/workflows publishes it.";
    const fix = 'Publish from one with "permissions: id-token: write" and: npm publish --provenance --access public';
    return [warn({ reason, fix })];
  }
  const named = releases.find(({ text }) => /id-token["']?:\s*["']?write|permissions:\s*["']?write-all/.test(text));
  if (named === undefined) {
    return [
      warn({
        file: release.file,
        reason: `${quote(release.file)} publishes without an identity that could be proved.`,
        fix: "Give its job: permissions: { contents: read, id-token: write }",
      }),
    ];
  }
  const isAsked =
    config.get("provenance") === true ||
    /--provenance|NPM_CONFIG_PROVENANCE:\s*["']?true/i.test(named.text) ||
    !/NODE_AUTH_TOKEN|NPM_TOKEN/.test(named.text);
  if (isAsked) return [];
  const reason = `${quote(named.file)} publishes by a token and asks for no provenance.`;
  return [warn({ file: named.file, reason, fix: 'Write "publishConfig": { "provenance": true } in package.json.' })];
}

interface Workflow {
  /** From the repository's folder. */
  readonly file: string;
  readonly text: string;
}

async function readWorkflows(from: string): Promise<Workflow[]> {
  const folder = findWorkflows(from);
  if (folder === undefined) return [];
  const names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).toSorted();
  return Promise.all(
    names.slice(0, MAX_WORKFLOWS).map(async (name) => ({
      file: path.posix.join(...WORKFLOWS, name),
      // What is commented out does nothing.
      text: (await readFile(path.join(folder, name), "utf8").catch(() => "")).replaceAll(/(?:^|\s)#.*$/gm, ""),
    })),
  );
}

/** In the package's folder or above it, as far as its repository goes. */
function findWorkflows(from: string): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, ...WORKFLOWS);
    if (existsSync(folder)) return folder;
    if (existsSync(path.join(at, ".git")) || path.dirname(at) === at) return undefined;
  }
}
