import { toFileResource, toFolderResource, type Assessment, type ToolContext } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { toForesight } from "../write/foresee.ts";
import { assessUnplanned, nameStartupFile } from "./assess-unplanned.ts";
import { findStartupFile } from "./find-startup-file.ts";
import { planTransfer } from "./plan-transfer.ts";
import type { TransferCall } from "./transfer-schema.ts";

/**
 * Judges a move or a copy by both its ends: start-up files always ask (SEC-FS-9), also in a folder that takes them along.
 * @throws ToolError for what no other call mends, so that nobody is asked about it.
 */
export async function assessTransfer(call: TransferCall, context: ToolContext): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const verb = call.tool === "move" ? "Moves" : "Copies";
  const plan = await planTransfer(workspace, call).catch(toForesight);
  if ("failure" in plan) {
    const { from, to } = call.input;
    const reason = `${verb} ${showName(from)} to ${showName(to)}.`;
    const changed = call.tool === "move" ? [from, to] : [to];
    return await assessUnplanned(workspace, { named: [from, to], changed, reason, failure: plan.failure });
  }
  const { source, toShown, toRealPath, entries } = plan;
  const isFolder = source.kind === "directory";
  const toResource = isFolder ? toFolderResource : toFileResource;
  const resources = [toResource(source.realPath), toResource(toRealPath)];
  const places = call.tool === "move" ? [source.realPath, toRealPath] : [toRealPath];
  const startup = await findStartupFile(workspace, { realPath: source.realPath, isFolder, places });
  if (startup !== undefined) {
    return { decision: "ask", reason: nameStartupFile(workspace.display(startup)), rule: "startup_file", resources };
  }
  const what = entries === 1 ? showName(source.shown) : `${showName(source.shown)} (${entries} entries)`;
  const reason = `${verb} ${what} to ${showName(toShown)}.`;
  return { decision: "allow", reason, resources };
}
