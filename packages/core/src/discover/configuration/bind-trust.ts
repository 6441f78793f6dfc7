import type { DiscoveryPorts } from "../discovery-ports.ts";

/** Believes nothing of a record that lies inside the project, whichever folder is asked about. */
export function bindTrust(trust: DiscoveryPorts["trust"], projectDir: () => string): DiscoveryPorts["trust"] {
  return {
    ...(trust.problem && { problem: (dir: string) => trust.problem?.(projectDir()) ?? trust.problem?.(dir) }),
    isTrusted: (dir, hash) => trust.problem?.(projectDir()) === undefined && trust.isTrusted(dir, hash),
  };
}
