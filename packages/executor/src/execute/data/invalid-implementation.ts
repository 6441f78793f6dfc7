import { ToolError } from "@aiw/core";

/** Made where a spec says what cannot be done; `member` is where in its `implementation`. */
export function invalidImplementation(member: string, problem: string, suggestion?: string): ToolError {
  return new ToolError(
    "implementation_invalid",
    `The tool's implementation${member === "" ? "" : `.${member}`} ${problem}.`,
    {
      suggestion: suggestion ?? "Ask whoever wrote the tool's spec to correct it; other arguments change nothing.",
    },
  );
}
