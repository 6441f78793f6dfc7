/** Authors of tools enter here to test them, in any test runner. */
export { testToolPackage, type TestToolPackageOptions } from "./test-tool-package.ts";
export { assertDenied, assertFailure, assertStreamed, assertSuccess, type ExpectedFailure } from "./assert-result.ts";
export { callTool, type CalledTool } from "./call-tool.ts";
export { fakeClock, type Clock, type FakeClock, type FakeClockOptions, type FakeTimer } from "./fake-clock.ts";
export type { TestRunner } from "./runner/test-runner.ts";
export type { ContractCheck } from "./contract/contract-check.ts";
export { contractChecks } from "./contract/contract-checks.ts";
export type { BuiltPackage, ContractOptions, ContractSubject } from "./contract/contract-subject.ts";
export { toolPackageChecks } from "./contract/tool-package-checks.ts";
export {
  fakeContext,
  type FakeContext,
  type FakeContextOptions,
  type Recorded,
  type RecordedEvent,
  type RecordedLog,
} from "./fake-context.ts";
export { fakeExecutor, type FakeAnswer, type FakeExecutor } from "./fake-executor.ts";
export { recordEvents, type RecordedEvents } from "./record-events.ts";
export { temporaryWorkspace, type TemporaryWorkspace } from "./workspace/temporary-workspace.ts";
export type { WorkspaceChanges } from "./workspace/workspace-changes.ts";
export type { WorkspaceEntry, WorkspaceFiles } from "./workspace/workspace-entry.ts";
