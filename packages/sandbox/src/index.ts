/** Hosts enter here to confine processes by the means of the operating system. */
export { SANDBOX_ERROR_CODES, SandboxError, type SandboxErrorCode } from "./errors/sandbox-error.ts";
export type { ConfinePolicy } from "./policy/confine-policy.ts";
export { confine } from "./policy/confine.ts";
export type { Confined } from "./policy/confined.ts";
export type { EntryKind, HostFacts } from "./policy/host-facts.ts";
export type { ProtectedEntry } from "./policy/protected-entries.ts";
export type { ProbePorts } from "./probe/probe-ports.ts";
export { probeSandbox } from "./probe/probe-sandbox.ts";
export type { ProgramAnswer } from "./probe/run-program.ts";
export type { BubblewrapFeatures, SandboxProbe } from "./probe/sandbox-probe.ts";
export {
  spawnConfined,
  type ConfinedProcess,
  type ConfineMode,
  type ProcessEnd,
  type SpawnConfinedOptions,
} from "./spawn/spawn-confined.ts";
