/** Keys that lead to files of the project, to its members, or to another layout. */
const LOCAL_KEYS: ReadonlySet<string> = new Set([
  "packages",
  "patchedDependencies",
  "overrides",
  "configDependencies",
  "pnpmfile",
  "pnpmfilePath",
  "globalPnpmfile",
  "lockfileDir",
  "modulesDir",
  "virtualStoreDir",
  "nodeLinker",
  "sharedWorkspaceLockfile",
  "allowBuilds",
  "onlyBuiltDependencies",
  "strictDepBuilds",
]);

/**
 * Takes out of a pnpm-workspace.yaml what holds in the project alone; registries, catalogs, ages and stores stay. A block begins at a
 * line that is not indented and ends before the next.
 */
export function stripWorkspaceSettings(text: string): string {
  const kept: string[] = [];
  let isKept = true;
  for (const line of text.split(/\r?\n/)) {
    const key = /^["']?([A-Za-z][\w-]*)["']?\s*:/.exec(line)?.[1];
    if (key !== undefined) isKept = !LOCAL_KEYS.has(key);
    else if (/^[^\s#-]/.test(line)) isKept = true;
    if (isKept) kept.push(line);
  }
  return kept.join("\n");
}

const ELSEWHERE = /^(?:\$|file:|link:|patch:|portal:|workspace:|\.{0,2}\/)/;

/** Overrides without those that lead to files or to other dependencies of the project. */
export function stripOverrides(value: unknown): unknown {
  if (typeof value === "string") return ELSEWHERE.test(value) ? undefined : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const kept = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const stripped = stripOverrides(member);
    return stripped === undefined ? [] : [[key, stripped]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
