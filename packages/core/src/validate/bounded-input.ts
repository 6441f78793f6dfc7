import type { JsonObject } from "../contract/json.ts";
import { boundInput } from "./bound-input.ts";
import { parseArguments } from "./parse-arguments.ts";

/** How arguments arrive: as a value, or as the text a model wrote. */
export type InputFormat = "value" | "json_text";

/** Arguments that are known to be plain JSON within bounds: there is no other way to make one. */
export class BoundedInput {
  /** A copy of its own. */
  readonly value: JsonObject;
  readonly #bounded = true;

  /** @throws ToolError `invalid_input` for what is no JSON object within the limits of SEC-VAL-1. */
  constructor(input: unknown, format: InputFormat = "value") {
    this.value = format === "json_text" && typeof input === "string" ? parseArguments(input) : boundInput(input);
  }

  /** Recognises what only this class makes. */
  static is(value: unknown): value is BoundedInput {
    return typeof value === "object" && value !== null && #bounded in value && value.#bounded;
  }
}
