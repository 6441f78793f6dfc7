/** One fact about this machine that matters for tools. */
export interface HostCheck {
  readonly name: string;
  readonly level: "ok" | "warning";
  readonly message: string;
}

/** What the checks read; the process unless given. */
export interface HostFacts {
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
}

/** The first release of each Node line without known holes in what tools rely on (SEC-SUP-4). */
const NODE_FLOORS: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [22, [23, 4]],
  [24, [22, 1]],
  [26, [12, 1]],
]);

/** Checks Node and what the system can promise about files. */
export function inspectHost(
  { nodeVersion, platform }: HostFacts = { nodeVersion: process.versions.node, platform: process.platform },
): HostCheck[] {
  return [checkNode(nodeVersion), checkFiles(platform)];
}

function checkNode(version: string): HostCheck {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const floor = NODE_FLOORS.get(major);
  const below = floor !== undefined && (minor < floor[0] || (minor === floor[0] && patch < floor[1]));
  if (!below) return { name: "node", level: "ok", message: version };
  return {
    name: "node",
    level: "warning",
    message: `${version} has known holes; update to ${major}.${floor[0]}.${floor[1]} or later.`,
  };
}

function checkFiles(platform: NodeJS.Platform): HostCheck {
  if (platform === "linux")
    return { name: "files", level: "ok", message: "races are closed: every open goes through a held directory" };
  return {
    name: "files",
    level: "warning",
    message: `on ${platform} races of other processes with file tools are narrowed, not closed`,
  };
}
