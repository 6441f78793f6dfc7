import { workLog, type SessionStore, type ToolLog, type WorkLog, type WorkspaceRoots } from "@aiw/core";

const NO_WORKSPACE: WorkspaceRoots = Object.freeze({ cwd: "/", roots: Object.freeze([]) });
const SILENT_LOG: ToolLog = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} });

/**
 * The record of a conversation, which is made of nothing but itself.
 * @throws AiwError `session_closed` once the conversation has ended
 */
export function openWorkLog(session: SessionStore): Promise<WorkLog> {
  return session.get(workLog, { workspace: NO_WORKSPACE, log: SILENT_LOG, options: {} });
}
