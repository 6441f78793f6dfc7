import { toCanonicalJson } from "@aiw/core";
import { fitsWithin } from "../bound/measure-value.ts";
import type { RunningCall } from "../call/running-call.ts";

/** Characters of arguments that are compared; calls with more are nobody's slip. */
const MAX_CHARACTERS = 20_000;

/** What is equal for equal calls: tool, folder, caller, arguments; undefined for calls too large to compare. */
export function toCallKey({
  toolId,
  definitionHash = "",
  workspace,
  principal,
  arguments: input = {},
}: RunningCall): string | undefined {
  if (!fitsWithin(input, MAX_CHARACTERS)) return undefined;
  return toCanonicalJson([toolId, definitionHash, workspace?.cwd ?? "", principal?.id ?? "", input]);
}
