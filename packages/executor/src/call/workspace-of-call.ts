import type { WorkspaceRoots } from "@aiw/core";

/** The folders of a call: its own where it names some, under the rules of the host, which none of them lifts (SEC-FS-8), and with its history. */
export function workspaceOfCall(
  named: WorkspaceRoots | undefined,
  host: WorkspaceRoots | undefined,
): WorkspaceRoots | undefined {
  // Callers without types pass null where they mean nothing.
  if (named === undefined || named === null || named === host) return host;
  const readOnly = join(named.readOnly, host?.readOnly);
  const deny = join(named.deny, host?.deny);
  // A conversation has one history, whichever call asks for it first.
  const history = host?.history ?? named.history;
  return { ...named, ...(readOnly && { readOnly }), ...(deny && { deny }), ...(history && { history }) };
}

/** All that says which files a call can touch, for what has to hold for these alone. */
export function placeOf(workspace: WorkspaceRoots | undefined): [string | null, ...(readonly string[])[]] {
  const { cwd = null, roots = [], readOnly = [], deny = [] } = workspace ?? {};
  const rules = readOnly.length + deny.length === 0 ? [] : [readOnly, deny];
  return [cwd, roots, ...rules];
}

function join(own: readonly string[] | undefined, host: readonly string[] = []): readonly string[] | undefined {
  return host.length === 0 ? own : [...new Set([...(own ?? []), ...host])];
}
