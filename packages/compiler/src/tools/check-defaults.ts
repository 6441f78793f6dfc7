import type { Json, JsonSchema } from "@aiw/core";
import type { Report } from "../docs/read-constraints.ts";
import type { Candidate } from "./candidate.ts";
import { explainMismatch } from "./explain-mismatch.ts";

const BARE = new Set(["type", "description", "default"]);

/** Reports defaults that their own schema refuses: a call that leaves the argument out would fail. */
export function checkDefaults(schema: JsonSchema, { node }: Candidate, report: Report): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof member !== "object" || !("default" in member) || isPlainlyRight(member)) continue;
    const mismatch = explainMismatch({ ...member, $defs: schema["$defs"] ?? {} }, member.default as Json);
    if (mismatch === undefined) continue;
    report({
      code: "default_invalid",
      severity: "error",
      message: `The default of ${name} does not pass its own schema: ${mismatch}.`,
      fix: "Correct the default, or the tags that narrow the argument.",
      node,
    });
  }
}

function isPlainlyRight(member: JsonSchema): boolean {
  return typeof member.default === member.type && Object.keys(member).every((keyword) => BARE.has(keyword));
}
