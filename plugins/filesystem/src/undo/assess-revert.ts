import { toFileResource, type Assessment, type ToolContext } from "@aiw/core";
import { isStartupFile, openWorkspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { rememberJudged } from "./judged-changes.ts";
import { runRevert } from "./revert-files.ts";
import type { Direction, RevertInput } from "./revert-schema.ts";
import { toRevertRequest } from "./to-revert-request.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Judges going back by the files it would change: start-up files always ask (SEC-FS-9), a dry run changes nothing.
 * @throws ToolError where nothing can go back, so that nobody is asked about it.
 */
export async function assessRevert(
  direction: Direction,
  input: RevertInput,
  context: ToolContext,
): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const request = { ...toRevertRequest(direction, input), dryRun: true };
  const { report } = await runRevert(request, input, { context, workspace });
  const paths = report.reverted.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const resources = [...new Set(paths)].map((path) => toFileResource(path));
  if (input.dry_run) return { decision: "allow", reason: "A dry run changes nothing.", effects: READ_ONLY, resources };
  await rememberJudged(context, report.reverted);
  const startup = paths.find((path) => isStartupFile(path));
  if (startup !== undefined) {
    const reason = `Shells, editors, agents or package managers obey ${showName(workspace.display(startup))} when they start.`;
    return { decision: "ask", reason, rule: "startup_file", resources };
  }
  const what = direction === "undo" ? "Takes back" : "Makes again";
  return {
    decision: "allow",
    reason: `${what} what tools of this conversation changed in ${resources.length} files.`,
    resources,
  };
}
