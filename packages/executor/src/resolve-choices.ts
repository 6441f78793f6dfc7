import { AiwError } from "@aiw/core";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";

/** How an executor meets slips of a model. */
export type Choices = Required<Pick<UnifiedToolExecutorOptions, "argumentRepair" | "repeatedCalls">>;

/**
 * Fills in what a host left out; callers without types may give anything.
 * @throws AiwError `config_invalid` for a setting that is none of its choices.
 */
export function resolveChoices({
  argumentRepair = "on",
  repeatedCalls = "block",
}: Pick<UnifiedToolExecutorOptions, "argumentRepair" | "repeatedCalls">): Choices {
  assertChoice("argumentRepair", argumentRepair, ["on", "off"]);
  assertChoice("repeatedCalls", repeatedCalls, ["block", "warn", "off"]);
  return { argumentRepair, repeatedCalls };
}

function assertChoice(name: string, given: string, choices: readonly string[]): void {
  if (choices.includes(given)) return;
  throw new AiwError("config_invalid", `${name} must be ${choices.join(" or ")}.`, {
    fix: `Correct ${name}, or leave it out for ${choices[0] ?? "the default"}.`,
  });
}
