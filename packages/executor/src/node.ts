/** Hosts enter here on Node: a project's tools in one call, and a person at a terminal. */
export { openTools, type OpenToolsOptions } from "./open-tools.ts";
export { terminalApprover, type TerminalApproverOptions } from "./approve/terminal-approver.ts";
export { paintDiff } from "./render/paint-diff.ts";
export { createPaint, toPlainText, type Look, type Paint } from "./render/paint.ts";
export {
  createTerminalRenderer,
  showDuration,
  type TerminalRendererOptions,
} from "./render/create-terminal-renderer.ts";
export { isolatePackages, type IsolatePackagesOptions } from "./isolate/isolate-packages.ts";
export type { StartedProcess } from "./isolate/host/isolated-process.ts";
export type { ProcessRequest, StartProcess } from "./isolate/host/start-process.ts";
