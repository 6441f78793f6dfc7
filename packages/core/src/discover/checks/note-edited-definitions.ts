import { createFinding } from "../../register/create-finding.ts";
import { definitionHash } from "../../schema/definition-hash.ts";
import type { PackageRecord } from "../read/read-package.ts";

/**
 * Notes definitions that changed after their manifest had been written: the hash beside them is another one's. Only a note,
 * since whoever edits a definition can edit its hash too; what the code itself says is compared when it loads.
 */
export async function noteEditedDefinitions(records: readonly PackageRecord[]): Promise<void> {
  for (const { id, version, dir, tools, notes } of records) {
    for (const { name, spec, definitionHash: recorded } of tools) {
      if (spec === undefined || recorded === undefined || recorded === (await definitionHash(spec))) continue;
      notes.push(
        createFinding({
          code: "manifest_stale",
          package: id,
          ...(version !== undefined && { version }),
          dir,
          tool: name,
          pointer: "/tools",
          reason: `The definition of ${name} is not the one its manifest was written with: the recorded hash is another.`,
          fix: `If ${id} is yours: aiw build. If not: install it again.`,
        }),
      );
    }
  }
}
