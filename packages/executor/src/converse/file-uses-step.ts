import { fromFileResource, type SessionStore, type ToolResult } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import type { ClosingStep } from "../pipeline/run-stages.ts";
import { openWorkLog } from "./open-work-log.ts";

/** Remembers for the conversation which files a call used that succeeded, as its tool named them when it was judged. */
export const fileUsesStep: ClosingStep<RunningCall, ToolResult> = {
  stage: "bound_result",
  after: (call, result) => {
    const { verdict, options, dryRun } = call;
    if (!result.success || verdict === undefined || options.session === undefined || dryRun) return result;
    const paths = verdict.resources.flatMap((resource) => fromFileResource(resource) ?? []);
    return paths.length === 0 ? result : recordUses(call, options.session, paths).then(() => result);
  },
};

async function recordUses(call: RunningCall, session: SessionStore, paths: readonly string[]): Promise<void> {
  // A conversation that ended meanwhile has no record any more.
  const record = await openWorkLog(session).catch(() => undefined);
  const access = call.verdict?.effects.readOnly === true ? "read" : "write";
  for (const path of paths) record?.touch(call, path, access);
}
