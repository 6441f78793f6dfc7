import { toFileResource, toFolderResource, type Assessment, type ToolContext } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { findStartupFile } from "./find-startup-file.ts";
import { planTransfer } from "./plan-transfer.ts";
import type { TransferCall } from "./transfer-schema.ts";

/**
 * Judges a move or a copy by both its ends: start-up files always ask (SEC-FS-9), also in a folder that takes them along.
 * @throws ToolError for what cannot be made, so that nobody is asked about it.
 */
export async function assessTransfer(call: TransferCall, context: ToolContext): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const { source, toShown, toRealPath, entries } = await planTransfer(workspace, call);
  const isFolder = source.kind === "directory";
  const toResource = isFolder ? toFolderResource : toFileResource;
  const resources = [toResource(source.realPath), toResource(toRealPath)];
  const places = call.tool === "move" ? [source.realPath, toRealPath] : [toRealPath];
  const startup = await findStartupFile(workspace, { realPath: source.realPath, isFolder, places });
  if (startup !== undefined) {
    const shown = showName(workspace.display(startup));
    const reason = `Shells, editors, agents or package managers may obey ${shown} when they start.`;
    return { decision: "ask", reason, rule: "startup_file", resources };
  }
  const what = entries === 1 ? showName(source.shown) : `${showName(source.shown)} (${entries} entries)`;
  const reason = `${call.tool === "move" ? "Moves" : "Copies"} ${what} to ${showName(toShown)}.`;
  return { decision: "allow", reason, resources };
}
