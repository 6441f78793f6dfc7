import { basename } from "node:path";
import { ToolError } from "@aiw/core";
import { escapeQuoted, quoteName, showName } from "../files/show-name.ts";
import { spellSearchFor } from "../files/suggest-next.ts";
import { spellCall, type CallArgument } from "./spell-call.ts";
import type { TransferCall } from "./transfer-schema.ts";

/** What is known of a call that was refused. */
interface Refused {
  /** The new path, as far as it was decided. */
  readonly to: string;
  /** Whether what is to be moved or copied was found. */
  readonly isFound: boolean;
}

/** Adds to a refusal the call that would not be refused, and shows names in it on one line. */
export function explainTransfer(error: ToolError, { tool, input }: TransferCall, { to, isFound }: Refused): ToolError {
  const again = (changed: { readonly [name: string]: CallArgument }): string => {
    const { from, to: given, ...flags } = input;
    const said = Object.entries(flags).filter(([name, value]) => value !== (name === "create_dirs"));
    return spellCall(tool, { from, to: given, ...Object.fromEntries(said), ...changed });
  };
  const { code, message, details = {} } = error;
  const suggestion = suggest() ?? error.suggestion;
  return new ToolError(code, showName(message), {
    cause: error,
    ...(error.details && { details }),
    retryable: error.retryable,
    ...(suggestion !== undefined && { suggestion: escapeQuoted(suggestion) }),
  });

  function suggest(): string | undefined {
    if (code === "not_found") return isFound ? again({ create_dirs: true }) : suggestLook();
    if (code === "conflict") return again({});
    if (code === "invalid_path" && isInside(input.from, to)) {
      return again({ to: `${bare(input.from)}-${basename(bare(to))}` });
    }
    if (code === "not_a_file" && tool === "copy") return again({ recursive: true });
    if (code !== "already_exists") return undefined;
    return details["kind"] === "directory" ? `list(path=${quoteName(to)})` : again({ overwrite: true });
  }

  /** Another file is never named in a call that moves or copies: what is gone may have been moved before. */
  function suggestLook(): string {
    const [nearest] = Array.isArray(details["nearest"]) ? details["nearest"] : [];
    if (typeof nearest !== "string" || details["missing_folder"] !== undefined) return spellSearchFor(input.from);
    const folder = nearest.replace(/[^/\\]+[/\\]?$/u, "");
    return `list(path=${quoteName(folder === "" ? "." : folder)})`;
  }
}

/** Nothing goes into itself; beside itself it may. */
function isInside(from: string, to: string): boolean {
  return bare(to).startsWith(`${bare(from)}/`);
}

function bare(path: string): string {
  return path.replace(/[/\\]+$/u, "");
}
