import path from "node:path";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { findWorkspaces, type Workspace } from "../repo/workspaces.ts";

/** Finds packages that differ from their siblings where they must not. */
export function checkPackageShape(repo: Repo): Finding[] {
  const workspaces = findWorkspaces(repo);
  return [
    ...workspaces.flatMap((workspace) => (workspace.manifest.private === true ? [] : judgePublished(repo, workspace))),
    ...workspaces.flatMap(judgeVersions),
    ...workspaces.flatMap((workspace) => judgeReferences(repo, workspace, workspaces)),
    ...judgeRootReferences(repo, workspaces),
  ];
}

function judgePublished(repo: Repo, { folder, file, manifest }: Workspace): Finding[] {
  const rule = "published packages have the same shape";
  const wanted: readonly (readonly [boolean, string])[] = [
    [manifest.type === "module", 'Write "type": "module".'],
    [manifest.license === "MIT", 'Write "license": "MIT".'],
    [manifest.engines?.["node"] === ">=22.19", 'Write "engines": { "node": ">=22.19" }.'],
    [manifest.publishConfig?.access === "public", 'Write "publishConfig": { "access": "public" }.'],
    [manifest.repository?.directory === folder, `Write "directory": "${folder}" under repository.`],
    [repo.read(`${folder}/LICENSE`) === repo.read("LICENSE"), "Copy the LICENSE of the root into the package."],
  ];
  return wanted.filter(([holds]) => !holds).map(([, repair]) => ({ file, rule, repair }));
}

/** A foreign version moves by a commit of ours, never by itself; only peers are ranges. */
function judgeVersions({ file, manifest }: Workspace): Finding[] {
  const fields = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  return Object.entries(fields)
    .filter(([name, version]) => {
      if (name.startsWith("@aiw/")) return version !== "workspace:^";
      return version !== "catalog:" && !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version);
    })
    .map(([name]) => ({
      file,
      rule: "foreign versions are pinned exactly and ours are `workspace:^`",
      repair: `Pin ${name} to the exact version that was tried, or take it from the catalog.`,
    }));
}

/** Without the reference, `tsc -b` may compile a package before what it depends on. */
function judgeReferences(repo: Repo, { folder, manifest }: Workspace, all: readonly Workspace[]): Finding[] {
  const file = `${folder}/tsconfig.json`;
  const config = JSON.parse(repo.read(file) ?? "{}") as { references?: readonly { path: string }[] };
  const referenced = new Set((config.references ?? []).map((reference) => path.posix.join(folder, reference.path)));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const needed = all.filter(({ manifest: other }) => names.includes(other.name)).map((other) => other.folder);
  const rule = "tsconfig references are the package's own workspace dependencies";
  const missing = needed
    .filter((other) => !referenced.has(other))
    .map((other) => ({ file, rule, repair: `Add { "path": "${path.posix.relative(folder, other)}" } to references.` }));
  const extra = [...referenced]
    .filter((other) => !needed.includes(other))
    .map((other) => ({ file, rule, repair: `Remove the reference to ${other}, or depend on it.` }));
  return [...missing, ...extra];
}

/** What the root does not reference is not compiled. */
function judgeRootReferences(repo: Repo, workspaces: readonly Workspace[]): Finding[] {
  const config = JSON.parse(repo.read("tsconfig.json") ?? "{}") as { references?: readonly { path: string }[] };
  const referenced = new Set((config.references ?? []).map((reference) => path.posix.normalize(reference.path)));
  const rule = "every workspace has a tsconfig.json, and the root's references name it";
  return workspaces.flatMap(({ folder }) => {
    if (repo.read(`${folder}/tsconfig.json`) === undefined) {
      return [
        { file: `${folder}/tsconfig.json`, rule, repair: "Write it: it extends tsconfig.base.json of the root." },
      ];
    }
    if (referenced.has(folder)) return [];
    return [{ file: "tsconfig.json", rule, repair: `Add { "path": "./${folder}" } to references.` }];
  });
}
