import path from "node:path";
import type { HostFacts } from "./host-facts.ts";

/** An entry of a writable tree that stays as it is. */
export interface ProtectedEntry {
  readonly path: string;
  /** What stands there; nothing yet: an empty one is put there while the process runs, so that none can be made. */
  readonly kind: "file" | "directory";
  readonly exists: boolean;
}

/** Files that shells and programs run or obey when they start; an empty one changes nothing for them. */
const STARTUP_FILES: readonly string[] = [
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".inputrc",
  ".envrc",
  ".gitconfig",
  ".gitattributes",
  ".npmrc",
  ".yarnrc",
  ".pypirc",
  ".vimrc",
  ".exrc",
  ".gdbinit",
  ".lldbinit",
  ".netrc",
  ".curlrc",
  ".wgetrc",
  ".tool-versions",
];

/** The same with a form: an empty one is an error to its program, so these are protected only where they stand. */
const STANDING_FILES: readonly string[] = [
  ".gitmodules",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  ".mcp.json",
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
  ".cursorrules",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  "pnpm-workspace.yaml",
  "bunfig.toml",
  "mise.toml",
  ".mise.toml",
  "aiw.config.json",
  "aiw.lock",
];

const STARTUP_FOLDERS: readonly string[] = [
  ".husky",
  ".githooks",
  ".vscode",
  ".idea",
  ".zed",
  ".devcontainer",
  ".claude",
  ".cursor",
  ".codex",
  ".gemini",
  ".aiw",
  ".direnv",
];

/** What makes git run programs, in the repository's own folder. */
const GIT_FOLDERS: readonly string[] = ["hooks"];
const GIT_FILES: readonly string[] = ["config", "config.worktree"];

/** Names what a process may not write although the tree around it is writable (SEC-BOX-6). */
export function findProtected(root: string, facts: HostFacts): ProtectedEntry[] {
  return [
    ...protectGit(root, facts),
    ...toEntries(root, STARTUP_FILES, { kind: "file", facts }),
    ...toEntries(root, STARTUP_FOLDERS, { kind: "directory", facts }),
    ...toEntries(root, STANDING_FILES, { kind: "file", facts }).filter(({ exists }) => exists),
  ];
}

/** True where the tree has a repository of its own: its folder must not be exchanged for another one. */
export function hasRepository(root: string, facts: HostFacts): boolean {
  return facts.kindOf(path.posix.join(root, ".git")) === "directory";
}

function protectGit(root: string, facts: HostFacts): ProtectedEntry[] {
  const git = path.posix.join(root, ".git");
  // None yet: an empty folder, which git passes over, keeps one from being made.
  if (!hasRepository(root, facts)) return toEntries(root, [".git"], { kind: "directory", facts });
  return [
    ...toEntries(git, GIT_FOLDERS, { kind: "directory", facts }),
    ...toEntries(git, GIT_FILES, { kind: "file", facts }),
    // Submodules keep their hooks there.
    ...toEntries(git, ["modules"], { kind: "directory", facts }).filter(({ exists }) => exists),
  ];
}

function toEntries(
  folder: string,
  names: readonly string[],
  { kind, facts }: { readonly kind: ProtectedEntry["kind"]; readonly facts: HostFacts },
): ProtectedEntry[] {
  return names.flatMap((name): ProtectedEntry[] => {
    const place = path.posix.join(folder, name);
    const found = facts.kindOf(place);
    if (found === undefined) return [{ path: place, kind, exists: false }];
    // Nothing can be mounted on a link or a device: those stay as they are.
    return found === "file" || found === "directory" ? [{ path: place, kind: found, exists: true }] : [];
  });
}
