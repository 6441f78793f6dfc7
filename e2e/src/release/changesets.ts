import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReleasedPackage } from "./read-packages.ts";

/** How far a version moves. */
export type Bump = "patch" | "minor" | "major";

const BUMPS: readonly Bump[] = ["patch", "minor", "major"];

/** A change and what it means for each package it names. */
export interface Changeset {
  readonly bumps: Readonly<Record<string, Bump>>;
  readonly text: string;
}

/** Reads the changesets that wait for a release. */
export async function readChangesets(root: string): Promise<Changeset[]> {
  const files = (await readdir(join(root, ".changeset"))).filter((file) => /^(?!README).*\.md$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(root, ".changeset", file), "utf8")));
  return texts.map((text) => {
    const [, front = "", body = ""] = text.split(/^---$/m);
    const lines = front.matchAll(/^"(?<name>[^"]+)": (?<bump>patch|minor|major)$/gm);
    const bumps = Object.fromEntries([...lines].map(([, name = "", bump]) => [name, bump as Bump]));
    return { bumps, text: body.trim() };
  });
}

/** Writes a changeset as a contributor does. */
export async function writeChangeset(root: string, { bumps, text }: Changeset): Promise<void> {
  const front = Object.entries(bumps).map(([name, bump]) => `"${name}": ${bump}`);
  await writeFile(join(root, ".changeset/rehearsed.md"), ["---", ...front, "---", "", text, ""].join("\n"));
}

/** The versions that changesets lead to by the rules of the house; plugins also move when the range of core leaves them behind. */
export function expectVersions(
  packages: ReadonlyMap<string, ReleasedPackage>,
  changesets: readonly Changeset[],
): Record<string, string> {
  const named = (names: readonly string[]): Bump | undefined =>
    BUMPS.findLast((bump) => changesets.some(({ bumps }) => names.some((name) => bumps[name] === bump)));
  const group = [...packages].filter(([, { folder }]) => folder.startsWith("packages/")).map(([name]) => name);
  const groupBump = named(group);
  const isCoreLeft = groupBump !== undefined && groupBump !== "patch";
  return Object.fromEntries(
    [...packages].map(([name, { manifest }]) => {
      const bump = group.includes(name) ? groupBump : (named([name]) ?? (isCoreLeft ? "patch" : undefined));
      return [name, bump === undefined ? manifest.version : move(manifest.version, bump)];
    }),
  );
}

function move(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (bump === "major") return `${major + 1}.0.0`;
  return bump === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
