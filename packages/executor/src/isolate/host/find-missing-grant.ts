import type { IsolationGrant } from "@aiw/core";

/** What a grant lacks for a tool. */
export interface MissingGrant {
  /** Permissions of the tool that nothing gives. */
  readonly permissions: readonly string[];
  /** What would give them. */
  readonly grant: IsolationGrant;
}

/** Who names `network` has decided on it: a tool of which the network is a part alone runs without. */
const PERMISSIONS = new Map<string, { isGiven(grant: IsolationGrant): boolean; readonly by: IsolationGrant }>([
  ["fs:read", { isGiven: (grant) => isGivenFolders(grant, "read"), by: { workspace: "read" } }],
  ["fs:write", { isGiven: (grant) => isGivenFolders(grant, "write"), by: { workspace: "write" } }],
  ["net", { isGiven: ({ network }) => network !== undefined, by: { network: "host" } }],
  ["process", { isGiven: ({ processes }) => processes === true, by: { processes: true } }],
]);

/** Finds what a tool says it needs and its process would not have; undefined where nothing is missing. */
export function findMissingGrant(permissions: readonly string[], grant: IsolationGrant): MissingGrant | undefined {
  const missing = [...PERMISSIONS].filter(([name, { isGiven }]) => permissions.includes(name) && !isGiven(grant));
  if (missing.length === 0) return undefined;
  // Writing comes after reading, and includes it.
  return { permissions: missing.map(([name]) => name), grant: Object.assign({}, ...missing.map(([, { by }]) => by)) };
}

function isGivenFolders({ workspace, readable = [], writable = [] }: IsolationGrant, how: "read" | "write"): boolean {
  if (workspace === "write" || writable.length > 0) return true;
  return how === "read" && (workspace === "read" || readable.length > 0);
}
