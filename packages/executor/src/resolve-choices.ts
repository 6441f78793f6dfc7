import { AiwError, assertKnownOptions } from "@aiw/core";
import { assertApprovalMode, assertApprovalTerms } from "./call/approval-settings.ts";
import { builtInExecutors } from "./execute/built-in-executors.ts";
import type { Executor } from "./execute/executor.ts";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";

/** How an executor meets slips of a model. */
export type Choices = Required<Pick<UnifiedToolExecutorOptions, "argumentRepair" | "repeatedCalls">>;

/**
 * Fills in what a host left out, and checks beside it who is asked about what; callers without types may give anything.
 * @throws AiwError `config_invalid` for a setting that is none of its choices.
 */
export function resolveChoices(options: UnifiedToolExecutorOptions): Choices {
  assertKnownOptions("UnifiedToolExecutor", options, KNOWN_OPTIONS);
  const { argumentRepair = "on", repeatedCalls = "block", approver, answerer, approvalTerms, approvalMode } = options;
  assertChoice("argumentRepair", argumentRepair, ["on", "off"]);
  assertChoice("repeatedCalls", repeatedCalls, ["block", "warn", "off"]);
  assertFunction("approver", approver);
  assertFunction("answerer", answerer);
  assertApprovalTerms(approvalTerms, "approvalTerms");
  if (approvalMode !== undefined && typeof approvalMode !== "function")
    assertApprovalMode(approvalMode, "approvalMode");
  return { argumentRepair, repeatedCalls };
}

/** Lays a host's executors over the built-in ones. @throws AiwError `config_invalid` */
export function resolveExecutors(given: UnifiedToolExecutorOptions["executors"] = {}): Map<string, Executor> {
  const own = Object.entries(given).map(([type, one]) => [type, toExecutor(type, one)] as const);
  return new Map([...Object.entries(builtInExecutors()), ...own]);
}

/** Gives what is an executor back. @throws AiwError `config_invalid` for anything else, which would fail with every call */
export function toExecutor(type: string, given: Executor): Executor {
  const execute: unknown = (given as Partial<Executor> | null | undefined)?.execute;
  if (typeof execute === "function") return given;
  throw new AiwError("config_invalid", `The executor of ${JSON.stringify(type)} has no function execute.`, {
    fix: "Write it like { execute: (call, context) => … }.",
  });
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

const KNOWN_OPTIONS: ReadonlySet<string> = new Set<keyof UnifiedToolExecutorOptions>([
  "approver",
  "answerer",
  "rules",
  "approvalMode",
  "approvalTerms",
  "suspension",
  "extensions",
  "limits",
  "argumentRepair",
  "repeatedCalls",
  "activity",
  "executors",
  "workspace",
  "isolation",
  "log",
]);
