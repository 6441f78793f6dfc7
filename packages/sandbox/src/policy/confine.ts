import { SandboxError } from "../errors/sandbox-error.ts";
import { toBubblewrap } from "../bubblewrap/to-bubblewrap.ts";
import type { SandboxProbe } from "../probe/sandbox-probe.ts";
import { toSeatbelt } from "../seatbelt/to-seatbelt.ts";
import { assertPolicy, type ConfinePolicy } from "./confine-policy.ts";
import type { Confined } from "./confined.ts";
import { HOST_FACTS, type HostFacts } from "./host-facts.ts";

/**
 * Turns a policy into the argument vector of a confined process; starts nothing.
 * @throws SandboxError `sandbox_policy_invalid`, or `sandbox_unavailable` where this machine cannot confine (SEC-BOX-2).
 */
export function confine(policy: ConfinePolicy, probe: SandboxProbe, facts: HostFacts = HOST_FACTS): Confined {
  assertPolicy(policy);
  switch (probe.kind) {
    case "bubblewrap":
      return toBubblewrap(policy, probe, facts);
    case "seatbelt":
      return toSeatbelt(policy, probe.program, facts);
    case "none":
      throw new SandboxError("sandbox_unavailable", probe.reason, probe.fix);
  }
}
