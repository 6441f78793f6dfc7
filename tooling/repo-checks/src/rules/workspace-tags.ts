import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { findWorkspaces } from "../repo/workspaces.ts";

const RULE = "every workspace has exactly the one tag that `turbo boundaries` needs to judge its edges";

/** Tags of packages whose folder does not already say them. */
const TAGS: Readonly<Record<string, string>> = {
  "packages/core": "core",
  "packages/sandbox": "base",
  "packages/create-tool": "base",
  "packages/testkit": "testkit",
  "packages/compiler": "leaf",
  "packages/specs": "leaf",
  "packages/executor": "executor",
  "packages/extensions": "extensions",
  "packages/mcp": "adapter",
  "packages/queue": "adapter",
  "packages/ai-sdk": "adapter",
  "packages/openai-agents": "adapter",
  "packages/langchain": "adapter",
  "packages/mastra": "adapter",
  "packages/cli": "cli",
  "plugins/shell": "plugin-os",
  "plugins/filesystem": "plugin",
  "plugins/web": "plugin",
  "plugins/agent": "plugin",
};

/** Finds workspaces that escape the boundaries, or that nobody has given a place. */
export function checkWorkspaceTags(repo: Repo): Finding[] {
  return findWorkspaces(repo).flatMap(({ folder }) => {
    const wanted = TAGS[folder] ?? tagOfPlace(folder);
    const file = `${folder}/turbo.json`;
    if (wanted === undefined) {
      const repair = `Decide what ${folder} is and may depend on, then add it to TAGS in workspace-tags.ts and to docs/architecture.md.`;
      return [{ file: `${folder}/package.json`, rule: "the package set is a decision", repair }];
    }
    const tags = (JSON.parse(repo.read(file) ?? "{}") as { tags?: unknown }).tags;
    if (JSON.stringify(tags) === JSON.stringify([wanted])) return [];
    return [{ file, rule: RULE, repair: `Write { "extends": ["//"], "tags": ["${wanted}"] }.` }];
  });
}

function tagOfPlace(folder: string): string | undefined {
  if (folder.startsWith("apps/")) return "app";
  if (folder.startsWith("examples/")) return "example";
  if (folder.startsWith("tooling/") || !folder.includes("/")) return "private";
  return undefined;
}
