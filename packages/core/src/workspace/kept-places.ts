import { dirname } from "node:path";
import type { KeptPlace } from "../confine/access-rules.ts";
import { findStateFolder } from "../confine/state-folder.ts";
import { findTrustFile } from "../config/trust/find-trust-file.ts";

/** What this user's aiw keeps for itself, wherever roots lie: the journal of changes, and the record of what is trusted. */
export function findKeptPlaces(): KeptPlace[] {
  const { file, problem } = findTrustFile(process.env);
  return [
    {
      path: findStateFolder(),
      reason: "What changes are taken back with is not for tools",
      suggestion: "Use the undo and history tools instead.",
    },
    // The file apart from its folder, which may be a root itself. What counts as nothing needs no protection.
    ...(problem === undefined ? [dirname(file), file] : []).map((path) => ({ path, ...OF_TRUST })),
  ];
}

const OF_TRUST = {
  reason: "The record of what is trusted is not for tools",
  suggestion: 'Ask the user: they trust by "aiw trust".',
};
