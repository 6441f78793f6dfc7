import type { Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { findWantedEnding } from "../files/editor-config.ts";
import { suggestWritingOut } from "../text/refuse-omission.ts";
import { findOmission } from "../text/find-omission.ts";

/** @throws ToolError `omission_placeholder` where a line that comes stands for text that was left out. */
export function refuseOmission(shown: string, { text, old }: { readonly text: string; readonly old: string }): void {
  const omission = findOmission(text, { old, path: shown });
  if (omission === undefined) return;
  throw filesystemError(
    "omission_placeholder",
    `An added line stands for text that was left out: ${JSON.stringify(omission.text)}: ${shown}`,
    { suggestion: suggestWritingOut(shown, old), details: { text: omission.text } },
  );
}

/** How the lines of a new file end. */
export async function newFileEnding(workspace: Workspace, path: string): Promise<"\n" | "\r\n"> {
  return (await findWantedEnding(workspace, workspace.resolve(path))) === "crlf" ? "\r\n" : "\n";
}
