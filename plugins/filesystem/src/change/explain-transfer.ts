import { ToolError } from "@aiw/core";
import { escapeQuoted, quoteName, showName } from "../files/show-name.ts";
import { spellCall, type CallArgument } from "./spell-call.ts";
import type { TransferCall } from "./transfer-schema.ts";

/** The paths that were used. */
interface UsedPaths {
  readonly from: string;
  readonly to: string;
}

/** Adds to a refusal the call that would not be refused; other errors stay as they are. */
export function explainTransfer(error: ToolError, { tool, input }: TransferCall, used: UsedPaths): ToolError {
  const again = (changed: { readonly [name: string]: CallArgument }): string => {
    const { from, to, ...flags } = input;
    const said = Object.entries(flags).filter(([name, value]) => value !== (name === "create_dirs"));
    return spellCall(tool, { from, to, ...Object.fromEntries(said), ...changed });
  };
  const { code, message, details = {} } = error;
  const explained = (suggestion: string): ToolError =>
    new ToolError(code, showName(message), { cause: error, suggestion: escapeQuoted(suggestion), details });
  if (code === "not_found") {
    const [nearest] = Array.isArray(details["nearest"]) ? details["nearest"] : [];
    if (!message.includes("on the way") && typeof nearest === "string") return explained(again({ from: nearest }));
    return input.create_dirs ? error : explained(again({ create_dirs: true }));
  }
  if (code === "already_exists") {
    if (details["kind"] === "directory") return explained(`list(path=${quoteName(used.to)})`);
    return explained(again({ overwrite: true }));
  }
  if (code === "not_a_file" && tool === "copy") return explained(again({ recursive: true }));
  if (code === "conflict") return explained(again({}));
  return error;
}
