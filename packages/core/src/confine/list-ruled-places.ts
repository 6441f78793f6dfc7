import { homedir } from "node:os";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import { readDenyPattern, type DenyBranch } from "./deny-pattern.ts";
import { joinNames, pathFlavour, splitPath } from "./resolve-path.ts";

/** What rules of a workspace name in full, for what confines a process by paths. */
export interface RuledPlaces {
  /** Absolute; nothing is written there. */
  readonly readOnly: readonly string[];
  /** Absolute; neither read nor written. */
  readonly denied: readonly string[];
}

/** Lists the files and folders that rules name without wildcards, whether or not anything is there; touches no disk. */
export function listRuledPlaces(
  workspace: WorkspaceRoots,
  {
    home = homedir(),
    platform = process.platform,
  }: { readonly home?: string; readonly platform?: NodeJS.Platform } = {},
): RuledPlaces {
  const { join, resolve } = pathFlavour(platform);
  const toFolder = (folder: string): string => {
    const isHome = folder === "~" || folder.startsWith("~/");
    return isHome ? join(home, folder.slice(1)) : resolve(workspace.cwd, folder);
  };
  const from = [workspace.cwd, ...workspace.roots.map((root) => resolve(workspace.cwd, root))];
  const toPlaces = ({ base, isAbsolute, rest }: DenyBranch): string[] => {
    // `folder/**` is all of the folder.
    if (rest.some((segment) => segment.kind !== "folders") || base.length === 0) return [];
    if (isAbsolute) return [joinNames(base, platform)];
    if (base[0] === "~") return [joinNames([...splitPath(home, platform), ...base.slice(1)], platform)];
    return from.map((folder) => resolve(folder, ...base));
  };
  const branches = (workspace.deny ?? []).flatMap((pattern) => readDenyPattern(pattern, platform).branches ?? []);
  return {
    readOnly: [...new Set((workspace.readOnly ?? []).map(toFolder))],
    denied: [...new Set(branches.flatMap(toPlaces))],
  };
}
