import type { ExtensionCall } from "../extend/extension.ts";
import { toEventArguments } from "./show-arguments.ts";

/** The arguments of a call as records may keep them: bounded, secrets masked; undefined for what could not be read. */
export function toRecordedArguments({ arguments: given, spec }: Pick<ExtensionCall, "arguments" | "spec">): unknown {
  return given === undefined ? undefined : toEventArguments(given, spec?.inputSchema);
}
