import { resolveIsolation, type IsolationGrant } from "@aiw/core";
import type { SandboxProbe } from "@aiw/sandbox";
import type { HostCheck } from "../inspect-host.ts";
import type { ProjectEngine } from "./project-engine.ts";

/** How this machine is asked what it confines; tests replace it. */
export type Probe = () => Promise<SandboxProbe>;

/** What Node's own permission flags are worth (SEC-NODE-1). */
const FLAGS = "Node's permission flags are a second line, never isolation";

/** Checks that packages which must run apart can: what confines them here, or why nothing does. */
export async function checkIsolation(
  { config: { isolation }, report }: ProjectEngine,
  probeSandbox: Probe = probeHere,
): Promise<HostCheck[]> {
  const isConfigured =
    isolation?.default === "isolated" || Object.values(isolation?.packages ?? {}).includes("isolated");
  if (!isConfigured) return [];
  const confinements = report.found.flatMap(({ id }): Confined[] => {
    const { mode, grant } = resolveIsolation(isolation, id);
    return mode === "isolated" ? [{ id, confinement: grant.confinement ?? "required" }] : [];
  });
  const probe = await probeSandbox();
  return [toCheck(probe, confinements), ...checkUnconfined(confinements)];
}

interface Confined {
  readonly id: string;
  readonly confinement: NonNullable<IsolationGrant["confinement"]>;
}

function toCheck(probe: SandboxProbe, confinements: readonly Confined[]): HostCheck {
  if (probe.kind !== "none")
    return { name: "isolation", level: "ok", message: `by ${probe.kind} (${probe.program}); ${FLAGS}` };
  const refused = confinements.filter(({ confinement }) => confinement === "required").map(({ id }) => id);
  const outcome = refused.length === 0 ? "" : ` Calls of ${refused.join(", ")} are refused.`;
  return {
    name: "isolation",
    level: refused.length === 0 ? "warning" : "error",
    message: `nothing here confines a process: ${probe.reason}${outcome} ${FLAGS}.`,
    fix: probe.fix,
  };
}

/** What an operator may have meant as isolation. */
function checkUnconfined(confinements: readonly Confined[]): HostCheck[] {
  const off = confinements.filter(({ confinement }) => confinement === "off").map(({ id }) => id);
  if (off.length === 0) return [];
  return [
    {
      name: "isolation",
      level: "warning",
      message: `${off.join(", ")} ${off.length === 1 ? "runs" : "run"} in a process that nothing confines (confinement off): ${FLAGS}`,
      fix: 'Set isolation.grants of it to { "confinement": "required" }.',
    },
  ];
}

async function probeHere(): Promise<SandboxProbe> {
  return (await import("@aiw/sandbox")).probeSandbox();
}
