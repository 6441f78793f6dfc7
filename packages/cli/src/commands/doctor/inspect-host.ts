import { openWorkspace, type RaceProtection } from "@aiw/core/node";

/** One remark on this machine, a package or how calls run, that no finding makes. */
export interface HostCheck {
  readonly name: string;
  /** With an error some or all calls are refused. */
  readonly level: "ok" | "warning" | "error";
  readonly message: string;
  /** Absent where nothing can or need be done. */
  readonly fix?: string;
}

/** What the checks judge. */
export interface HostFacts {
  readonly nodeVersion: string;
  /** What a workspace opened here says of itself. */
  readonly raceProtection: RaceProtection;
}

/** The first release of each Node line without known holes in what tools rely on (SEC-SUP-4). */
const NODE_FLOORS: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [22, [23, 4]],
  [24, [22, 1]],
  [26, [12, 1]],
]);

/** Checks Node and what the system can promise about files. */
export function inspectHost({ nodeVersion, raceProtection }: HostFacts): HostCheck[] {
  return [checkNode(nodeVersion), checkFiles(raceProtection)];
}

/** Reads this process and opens a workspace to see. */
export async function readHostFacts(folder: string): Promise<HostFacts> {
  await using workspace = await openWorkspace({ cwd: folder, roots: [folder] });
  return { nodeVersion: process.versions.node, raceProtection: workspace.raceProtection };
}

function checkNode(version: string): HostCheck {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const floor = NODE_FLOORS.get(major);
  const below = floor !== undefined && (minor < floor[0] || (minor === floor[0] && patch < floor[1]));
  if (!below) return { name: "node", level: "ok", message: version };
  return {
    name: "node",
    level: "warning",
    message: `${version} has known holes`,
    fix: `Update to ${major}.${floor[0]}.${floor[1]} or later.`,
  };
}

/** What the system really lets file tools hold, not what it should. */
function checkFiles(protection: HostFacts["raceProtection"]): HostCheck {
  if (protection === "closed")
    return { name: "files", level: "ok", message: "races are closed: every open goes through a held directory" };
  return {
    name: "files",
    level: "warning",
    message:
      "races of other processes with file tools are narrowed, not closed (no /proc, or another system than Linux)",
  };
}
