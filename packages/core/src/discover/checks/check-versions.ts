import type { major, minVersion, satisfies, validRange } from "semver";
import { quote } from "../../register/create-finding.ts";
import { readCoreVersion } from "../core-version.ts";
import type { Refusal } from "../read/read-declaration.ts";

/** What a package's version ranges say before any of its code runs. */
export interface VersionCheck {
  readonly refusal?: Refusal;
  readonly notes: readonly Refusal[];
}

/** The versions of this process. */
export interface RunningVersions {
  readonly node: string;
  readonly core: string | undefined;
}

type Manifest = Readonly<Record<string, unknown>>;

/** The versions that packages found here will meet. */
export function readRunningVersions(): RunningVersions {
  return { node: process.versions.node, core: readCoreVersion() };
}

/** What nearly every package writes: answered without the library, which costs more than reading the package. */
const SIMPLE_RANGE = /^(?:>=|\^)(\d+)(?:\.(\d+))?(?:\.(\d+))?$/;

/** Compares `engines.node` and the range of `@aiw/core`; a range nobody can read is noted and allowed. */
export async function checkVersions(manifest: Manifest, running: RunningVersions): Promise<VersionCheck> {
  const nodeRange = member(manifest["engines"], "node");
  const coreRange = member(manifest["dependencies"], "@aiw/core") ?? member(manifest["peerDependencies"], "@aiw/core");
  const checks = [await checkNode(nodeRange, running.node), await checkCore(coreRange, running.core)];
  const found = checks.filter((check) => check !== undefined);
  const refusal = found.find(({ code }) => code !== "range_unreadable");
  return { ...(refusal && { refusal }), notes: found.filter(({ code }) => code === "range_unreadable") };
}

async function checkNode(range: unknown, version: string): Promise<Refusal | undefined> {
  if (range === undefined || isSimplyMet(range, version)) return undefined;
  const { validRange, satisfies } = await loadSemver();
  if (typeof range !== "string" || validRange(range) === null)
    return unreadable(range, { pointer: "/engines/node", fix: "Write a range of Node such as >=22.19." });
  if (satisfies(version, range, { includePrerelease: true })) return undefined;
  return {
    code: "node_version_unsupported",
    pointer: "/engines/node",
    reason: `It needs Node ${quote(range)}; this is ${version}.`,
    fix: `Run with a Node of ${quote(range)}.`,
  };
}

function isSimplyMet(range: unknown, version: string): boolean {
  if (range === "*") return true;
  const lowest = typeof range === "string" && range.startsWith(">=") ? SIMPLE_RANGE.exec(range) : null;
  if (lowest === null || !/^\d+\.\d+\.\d+$/.test(version)) return false;
  for (const [index, part] of version.split(".").entries()) {
    const difference = Number(part) - Number(lowest[index + 1] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Older majors are judged at load by the contract's own version; a range of newer majors alone cannot work. */
async function checkCore(range: unknown, version: string | undefined): Promise<Refusal | undefined> {
  const pointer = "/dependencies/@aiw~1core";
  if (range === undefined || version === undefined) return undefined;
  if (typeof range === "string" && (range === "*" || range.startsWith("workspace:"))) return undefined;
  if (Number(SIMPLE_RANGE.exec(String(range))?.[1]) <= Number.parseInt(version, 10)) return undefined;
  const { validRange, minVersion, major } = await loadSemver();
  if (typeof range !== "string" || validRange(range) === null) {
    const fix = `Write a range of @aiw/core such as ^${version}, once it is installed from a registry.`;
    return unreadable(range, { pointer, fix });
  }
  const lowest = minVersion(range);
  if (lowest === null || lowest.major <= major(version)) return undefined;
  return {
    code: "core_version_unsupported",
    pointer,
    reason: `It needs @aiw/core ${quote(range)}; this is ${version}.`,
    fix: `Install @aiw/core ${quote(range)} in the project, or an older version of the package.`,
  };
}

interface Semver {
  readonly satisfies: typeof satisfies;
  readonly minVersion: typeof minVersion;
  readonly major: typeof major;
  readonly validRange: typeof validRange;
}

/** Loaded at the first tool package, so that projects without any pay nothing. */
async function loadSemver(): Promise<Semver> {
  const [one, two, three, four] = await Promise.all([
    import("semver/functions/satisfies.js"),
    import("semver/ranges/min-version.js"),
    import("semver/functions/major.js"),
    import("semver/ranges/valid.js"),
  ]);
  return { satisfies: one.default, minVersion: two.default, major: three.default, validRange: four.default };
}

function unreadable(range: unknown, where: Pick<Refusal, "pointer" | "fix">): Refusal {
  return { code: "range_unreadable", reason: `${quote(range)} is no version range; it is not checked.`, ...where };
}

function member(map: unknown, key: string): unknown {
  return typeof map === "object" && map !== null && Object.hasOwn(map, key) ? (map as Manifest)[key] : undefined;
}
