import type { ToolSpec } from "@aiw/core";
import type { CheckFinding, Verdict } from "../scorecard.ts";
import type { CheckSubject } from "../subject.ts";
import { fail, warn, when } from "./finding.ts";
import { listSpecIssues } from "./judge-specs.ts";

/** Effects that somebody chose, and that agree with each other and with the permissions. */
export function judgeEffects(subject: CheckSubject): Verdict {
  const { manifest } = subject;
  if (manifest === undefined) return { skipped: "there is no manifest to read" };
  return [
    ...listSpecIssues(subject, "effects"),
    ...manifest.specs.flatMap((spec) =>
      judgeOne(spec).map((finding) => ({ ...finding, tool: spec.name, file: manifest.file })),
    ),
  ];
}

function judgeOne({ metadata: { effects, permissions, requiresApproval, assess } }: ToolSpec): CheckFinding[] {
  const { readOnly, destructive, idempotent, openWorld } = effects;
  // Whoever said what else it may do has thought of it: a shell is as unsafe as what nobody knows.
  const isSilent = permissions.length === 0 && requiresApproval === undefined && assess !== true;
  const isUnsaid = isSilent && !readOnly && destructive && !idempotent && openWorld;
  if (isUnsaid) {
    return [
      warn({
        reason: "Its effects are the unsafe ones that count where none are declared, so every call asks a person.",
        fix: 'Declare them: effects: "pure", "read", "write", or the four flags.',
      }),
    ];
  }
  const writes = permissions.filter((permission) => permission === "fs:write");
  return [
    ...when(
      readOnly && destructive,
      fail({
        reason: "It cannot change nothing and destroy something.",
        fix: "Set readOnly or destructive to false.",
      }),
    ),
    ...when(
      readOnly && !idempotent,
      warn({
        reason: "It changes nothing, so calling it again changes nothing further.",
        fix: "Set idempotent to true.",
      }),
    ),
    ...when(
      readOnly && writes.length > 0,
      warn({
        reason: "It says that it changes nothing, and asks for fs:write.",
        fix: 'Set readOnly to false, or remove "fs:write" from permissions.',
      }),
    ),
    ...when(
      !openWorld && permissions.includes("net"),
      warn({
        reason: "It says that it reaches nothing outside the project, and asks for net.",
        fix: 'Set openWorld to true, or remove "net" from permissions.',
      }),
    ),
  ];
}
