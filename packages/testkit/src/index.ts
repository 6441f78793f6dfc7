/** Authors of tools enter here to test them, in any test runner. */
export type { ContractCheck } from "./contract-check.ts";
export { contractChecks, type ContractSubject } from "./contract-checks.ts";
export { fakeContext, type FakeContext, type FakeContextOptions, type Recorded } from "./fake-context.ts";
export { fakeExecutor, type FakeAnswer, type FakeExecutor } from "./fake-executor.ts";
export { recordEvents, type RecordedEvents } from "./record-events.ts";
export { temporaryWorkspace, type TemporaryWorkspace } from "./temporary-workspace.ts";
