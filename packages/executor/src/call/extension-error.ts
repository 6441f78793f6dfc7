import { ToolError } from "@aiw/core";

/** The failure of a call that an extension stands in the way of by its own fault. */
export function toExtensionError(name: string, consequence: string, what: string = "failed"): ToolError {
  return new ToolError("extension_failed", `${consequence} the extension ${name} ${what}.`, {
    suggestion: "Do not repeat this call; the operator has to look at the extension.",
  });
}
