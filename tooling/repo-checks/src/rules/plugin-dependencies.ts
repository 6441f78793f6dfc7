import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { findWorkspaces, type Manifest, type Workspace } from "../repo/workspaces.ts";

/** Plugins that confine processes may also use the sandbox. */
const ALSO_ALLOWED: Readonly<Record<string, readonly string[]>> = { "@aiw/plugin-shell": ["@aiw/sandbox"] };

/** Finds plugins that stand anywhere but where a stranger's plugin stands. */
export function checkPluginDependencies(repo: Repo): Finding[] {
  return findWorkspaces(repo)
    .filter(({ folder }) => folder.startsWith("plugins/"))
    .flatMap((plugin) => [...judgeCore(plugin), ...judgeRest(plugin)]);
}

function judgeCore({ file, manifest }: Workspace): Finding[] {
  if (manifest.dependencies?.["@aiw/core"] === "workspace:^") return [];
  const rule =
    "a plugin depends on @aiw/core as an ordinary dependency, since not every package manager installs peers";
  return [{ file, rule, repair: 'Write "@aiw/core": "workspace:^" under dependencies.' }];
}

function judgeRest({ file, manifest }: Workspace): Finding[] {
  const rule = "a plugin depends on nothing of ours but core (and testkit for its tests)";
  const allowed = ["@aiw/core", ...(ALSO_ALLOWED[manifest.name] ?? [])];
  const shipped = namesOf(manifest, ["dependencies", "optionalDependencies"]).filter((name) => !allowed.includes(name));
  const peers = namesOf(manifest, ["peerDependencies"]);
  const tests = namesOf(manifest, ["devDependencies"]).filter((name) => ![...allowed, "@aiw/testkit"].includes(name));
  return [...shipped, ...peers, ...tests].map((name) => ({
    file,
    rule,
    repair: `Remove ${name}; what the plugin needs of it belongs in core or in the plugin itself.`,
  }));
}

type DependencyField = "dependencies" | "devDependencies" | "peerDependencies" | "optionalDependencies";

function namesOf(manifest: Manifest, fields: readonly DependencyField[]): string[] {
  return fields.flatMap((field) => Object.keys(manifest[field] ?? {})).filter((name) => name.startsWith("@aiw/"));
}
