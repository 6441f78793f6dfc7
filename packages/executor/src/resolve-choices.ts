import { AiwError } from "@aiw/core";
import { assertApprovalMode, assertApprovalTerms } from "./call/approval-settings.ts";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";

/** How an executor meets slips of a model. */
export type Choices = Required<Pick<UnifiedToolExecutorOptions, "argumentRepair" | "repeatedCalls">>;

/**
 * Fills in what a host left out, and checks beside it who is asked about what; callers without types may give anything.
 * @throws AiwError `config_invalid` for a setting that is none of its choices.
 */
export function resolveChoices({
  argumentRepair = "on",
  repeatedCalls = "block",
  approver,
  answerer,
  approvalTerms,
  approvalMode,
}: UnifiedToolExecutorOptions): Choices {
  assertChoice("argumentRepair", argumentRepair, ["on", "off"]);
  assertChoice("repeatedCalls", repeatedCalls, ["block", "warn", "off"]);
  assertFunction("approver", approver);
  assertFunction("answerer", answerer);
  assertApprovalTerms(approvalTerms, "approvalTerms");
  if (approvalMode !== undefined && typeof approvalMode !== "function")
    assertApprovalMode(approvalMode, "approvalMode");
  return { argumentRepair, repeatedCalls };
}

/** Callers without types pass null where they mean nobody. */
function assertFunction(name: string, given: unknown): void {
  if (given === undefined || given === null || typeof given === "function") return;
  throw new AiwError("config_invalid", `${name} must be a function.`, { fix: `Correct ${name}, or leave it out.` });
}

function assertChoice(name: string, given: string, choices: readonly string[]): void {
  if (choices.includes(given)) return;
  throw new AiwError("config_invalid", `${name} must be ${choices.join(" or ")}.`, {
    fix: `Correct ${name}, or leave it out for ${choices[0] ?? "the default"}.`,
  });
}
