import { isRecord, type JsonRecord } from "../open-package-project.ts";
import { toViewArguments } from "../manager/manager-commands.ts";
import type { Manager, ManagerRunOptions } from "../manager/open-manager.ts";

/** What a registry says of one version; what it does not say is absent. */
export interface RegistryFacts {
  /** ISO time. */
  readonly published?: string;
  readonly deprecated?: string;
  /** The kind of statement about where it was built; nobody checked it here. */
  readonly provenance?: string;
  /** When each version was published. */
  readonly times: ReadonlyMap<string, string>;
}

/** Milliseconds a registry may take for one answer. */
const TIMEOUT_MS = 60_000;

/** Asks the registry by the manager's own settings; undefined where it does not answer. */
export async function readRegistryFacts(
  { name, version }: { readonly name: string; readonly version: string },
  manager: Manager,
  options: ManagerRunOptions,
): Promise<RegistryFacts | undefined> {
  const run = await manager.run(toViewArguments(manager.kind, name, version), { ...options, timeoutMs: TIMEOUT_MS });
  if (run.exitCode !== 0) return undefined;
  const answer = readAnswer(run.stdout);
  if (answer === undefined || (answer["version"] !== undefined && answer["version"] !== version)) return undefined;
  const { time, deprecated, dist } = answer;
  const times = new Map(Object.entries(isRecord(time) ? time : {}).flatMap(([key, value]) => toTime(key, value)));
  const published = times.get(version);
  const provenance = readProvenance(dist);
  return {
    times,
    ...(published !== undefined && { published }),
    ...(typeof deprecated === "string" && deprecated !== "" && { deprecated }),
    ...(provenance !== undefined && { provenance }),
  };
}

/** One object, or one by line: Yarn's first generation wraps it. */
function readAnswer(stdout: string): JsonRecord | undefined {
  for (const text of [stdout, ...stdout.split("\n")]) {
    try {
      const value: unknown = JSON.parse(text);
      const one: unknown = Array.isArray(value) ? value.at(-1) : value;
      if (isRecord(one)) return one["type"] === "inspect" && isRecord(one["data"]) ? one["data"] : one;
    } catch {
      // What is no JSON is a remark of the manager.
    }
  }
  return undefined;
}

/** Written anew: what parses as a date may hold any text, in parentheses for one. */
function toTime(key: string, value: unknown): [string, string][] {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? [] : [[key, new Date(time).toISOString()]];
}

function readProvenance(dist: unknown): string | undefined {
  const attestations = isRecord(dist) ? dist["attestations"] : undefined;
  if (!isRecord(attestations)) return undefined;
  const { provenance } = attestations;
  const type = isRecord(provenance) ? provenance["predicateType"] : undefined;
  return typeof type === "string" ? type : "of an unnamed kind";
}
