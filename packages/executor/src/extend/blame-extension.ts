import { ToolError } from "@aiw/core";
import { toExtensionError } from "../call/extension-error.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { Extension } from "./extension.ts";

/** Stages whose extensions only watch, unless they say otherwise. */
const WATCHING: ReadonlySet<string> = new Set(["trace", "audit_open"]);

/** True where the extension's failure refuses the call. */
export function failsClosed({ failure, stage }: Extension): boolean {
  return (failure ?? (WATCHING.has(stage) ? "open" : "closed")) === "closed";
}

/**
 * Reports a hook that failed, under the name of its extension.
 * @throws ToolError what refuses the call, where the extension fails closed (SEC-APR-5).
 */
export function blameExtension(extension: Extension, call: RunningCall, error: unknown): void {
  const closed = failsClosed(extension);
  if (closed && ToolError.is(error)) throw error;
  reportExtension(extension, call, error);
  if (closed) throw toExtensionError(extension.name, "The call was refused, since");
}

/** Tells the host of a hook that failed. */
export function reportExtension({ name }: Extension, { callId, log }: RunningCall, error: unknown): void {
  log?.error("An extension failed.", { extension: name, callId, error });
}
