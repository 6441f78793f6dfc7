import type { ExecuteToolOptions } from "@aiw/executor";
import { toRawArguments } from "./repair-tool-call.ts";

/** Arguments as the executor takes them. */
export interface GivenInput {
  readonly input: unknown;
  readonly options: Pick<ExecuteToolOptions, "inputFormat">;
}

/** Undoes what the format changed in arguments; text that was no JSON goes on as the text it was. */
export function toGivenInput(input: unknown, normalizeInput: (input: unknown) => unknown): GivenInput {
  const raw = toRawArguments(input);
  return raw === undefined
    ? { input: normalizeInput(input), options: {} }
    : { input: raw, options: { inputFormat: "json_text" } };
}
