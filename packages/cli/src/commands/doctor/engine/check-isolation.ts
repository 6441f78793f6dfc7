import { resolve } from "node:path";
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
  { config: { isolation }, report, projectDir }: ProjectEngine,
  probeSandbox: Probe = probeHere,
): Promise<HostCheck[]> {
  const isConfigured =
    isolation?.default === "isolated" || Object.values(isolation?.packages ?? {}).includes("isolated");
  if (!isConfigured) return [];
  const confinements = report.found.flatMap(({ id }): Confined[] => {
    const { mode, grant } = resolveIsolation(isolation, id);
    return mode === "isolated" ? [{ id, confinement: grant.confinement ?? "required", grant }] : [];
  });
  const probe = await probeSandbox();
  return [
    toCheck(probe, confinements),
    ...checkUnconfined(confinements),
    ...(await checkGrants(confinements, { probe, projectDir })),
  ];
}

interface Confined {
  readonly id: string;
  readonly confinement: NonNullable<IsolationGrant["confinement"]>;
  readonly grant: IsolationGrant;
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

interface GrantPlaces {
  readonly probe: SandboxProbe;
  readonly projectDir: string;
}

/** Names packages whose grants the sandbox refuses, and their calls with them; nothing is started to see it. */
async function checkGrants(
  confinements: readonly Confined[],
  { probe, projectDir }: GrantPlaces,
): Promise<HostCheck[]> {
  const { confine, SandboxError } = await import("@aiw/sandbox");
  return confinements.flatMap(({ id, confinement, grant }): HostCheck[] => {
    if (confinement === "off" || probe.kind === "none") return [];
    const { workspace, readable = [], writable = [], network = "none" } = grant;
    const at = (places: readonly string[]): string[] => places.map((place) => resolve(projectDir, place));
    try {
      const policy = {
        argv: [process.execPath],
        readable: [...at(readable), ...(workspace === "read" ? [projectDir] : [])],
        writable: [...at(writable), ...(workspace === "write" ? [projectDir] : [])],
        network,
        env: {},
      };
      confine(policy, probe);
      return [];
    } catch (error) {
      if (!SandboxError.is(error)) throw error;
      const message = `every call of ${id} fails, since the sandbox refuses its grants: ${error.message}`;
      return [{ name: "isolation", level: "error", message, fix: `${error.fix} It is in isolation.grants.` }];
    }
  });
}

async function probeHere(): Promise<SandboxProbe> {
  return (await import("@aiw/sandbox")).probeSandbox();
}
