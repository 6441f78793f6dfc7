import { fromFileResource, workLog, type ToolLog, type ToolResult, type WorkspaceRoots } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import type { ClosingStep } from "../pipeline/run-stages.ts";

const NO_WORKSPACE: WorkspaceRoots = Object.freeze({ cwd: "/", roots: Object.freeze([]) });
const SILENT_LOG: ToolLog = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} });

/** Remembers for the conversation which files a call used that succeeded, as its tool named them when it was judged. */
export const fileUsesStep: ClosingStep<RunningCall, ToolResult> = {
  stage: "bound_result",
  after: (call, result) => {
    const { verdict, options } = call;
    if (!result.success || verdict === undefined || options.session === undefined || call.dryRun) return result;
    const paths = verdict.resources.flatMap((resource) => fromFileResource(resource) ?? []);
    return paths.length === 0 ? result : recordUses(call, paths).then(() => result);
  },
};

async function recordUses(call: RunningCall, paths: readonly string[]): Promise<void> {
  const { session } = call.options;
  const { workspace = NO_WORKSPACE, log = SILENT_LOG } = call;
  // A conversation that ended meanwhile has no record any more.
  const record = await session?.get(workLog, { workspace, log, options: {} }).catch(() => undefined);
  const access = call.verdict?.effects.readOnly === true ? "read" : "write";
  for (const path of paths) record?.touch(call, path, access);
}
