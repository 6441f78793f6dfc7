import { homedir } from "node:os";
import * as path from "node:path";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import type { WorkspaceConfig } from "./workspace-config.ts";

/** Where paths of a configuration start. */
export interface JoinWorkspaceOptions {
  /** The folder of the project. */
  readonly projectDir: string;
  /** What `~` stands for; the user's home unless given. */
  readonly home?: string;
}

/** Adds what the configuration says to the folders that a host gives; its rules hold for the host's folders too. */
export function joinWorkspace(
  given: WorkspaceRoots,
  config: WorkspaceConfig | undefined,
  { projectDir, home = homedir() }: JoinWorkspaceOptions,
): WorkspaceRoots {
  const toFolder = (folder: string): string => {
    const isHome = folder === "~" || folder.startsWith("~/");
    return isHome ? path.join(home, folder.slice(1)) : path.resolve(projectDir, folder);
  };
  const more: WorkspaceConfig & Required<Omit<WorkspaceConfig, "history">> = {
    roots: [],
    readOnly: [],
    deny: [],
    ...config,
  };
  const roots = [...given.roots, ...more.roots.map(toFolder)];
  const readOnly = [...(given.readOnly ?? []), ...more.readOnly.map(toWhole).map(toFolder)];
  const isKnown = [given.cwd, ...roots].some((folder) => path.resolve(folder) === path.resolve(projectDir));
  const ofProject = isKnown
    ? []
    : more.deny.filter(isAnchored).map((pattern) => `${escapeGlob(projectDir)}/${pattern}`);
  const deny = [...(given.deny ?? []), ...more.deny, ...ofProject];
  const history = given.history ?? more.history;
  return {
    cwd: given.cwd,
    roots: [...new Set(roots)],
    ...(readOnly.length > 0 && { readOnly: [...new Set(readOnly)] }),
    ...(deny.length > 0 && { deny: [...new Set(deny)] }),
    ...(history !== undefined && { history }),
  };
}

/** `vendor/**` beside the patterns of `deny` means the folder; taken as a name it would keep nothing, in silence. */
function toWhole(folder: string): string {
  return folder.replace(/(?<=.)(?:\/\*\*)+\/?$/u, "");
}

/** Whether a pattern is about one place, which is counted from somewhere. */
function isAnchored(pattern: string): boolean {
  return pattern.replace(/\/+$/u, "").includes("/") && !/^(?:\*\*|\/|~)/u.test(pattern) && !path.isAbsolute(pattern);
}

function escapeGlob(folder: string): string {
  return folder.replaceAll(/[*?[\]{}\\]/gu, path.sep === "\\" ? "/" : "\\$&");
}
