import type { DiscoveryReport, Finding } from "@aiw/core";

/** Everything the report says of packages and tools, whatever list it is in. */
export function findingsOf({ found, rejected, missing, notEnabled }: DiscoveryReport): Finding[] {
  return [...rejected, ...missing, ...notEnabled, ...found.flatMap(({ notes }) => notes)];
}

/** Problems a person should hear of even when everything else works. */
export function problemsOf(report: DiscoveryReport): Finding[] {
  // Shadowed names are told by themselves.
  return findingsOf(report).filter(({ severity, code }) => severity !== "info" && code !== "name_shadowed");
}

/** Why tools are not there that would be: refused, failed, or not trusted. */
export function leftOutOf({ rejected, notEnabled }: DiscoveryReport): Finding[] {
  return [...rejected, ...notEnabled].filter(({ severity }) => severity !== "info");
}
