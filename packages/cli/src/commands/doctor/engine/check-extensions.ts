import type { AiwConfig } from "@aiw/core";
import type { HostCheck } from "../inspect-host.ts";
import { fitsRange } from "./fits-range.ts";
import { locateImported, locateRequired, type LocatedPackage } from "./locate-package.ts";
import type { ProjectEngine } from "./project-engine.ts";

const PACKAGE = "@aiw/extensions";

/** Doors whose names are not those of their keys. */
const DOORS: ReadonlyMap<string, string> = new Map([["rateLimit", "rate-limit"]]);

const OPENTELEMETRY = ["@opentelemetry/api"];
const SDK = ["@opentelemetry/sdk-trace", "@opentelemetry/sdk-metrics", "@opentelemetry/resources"];

/** Checks that what the configuration turns on can be opened: the package, its doors, and what these need beside it. */
export async function checkExtensions(engine: ProjectEngine): Promise<HostCheck[]> {
  const keys = Object.entries(engine.config.extensions ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  const waiting = checkWaiting(engine);
  if (keys.length === 0) return waiting;
  const found = locateRequired(PACKAGE, engine.projectDir);
  if (found === undefined) return [missing(keys, engine), ...waiting];
  return [
    await checkPackage(found, keys, engine),
    ...keys.flatMap((key) => checkDoor(key, found, engine)),
    ...(await checkPeers(found, engine)),
    ...waiting,
  ];
}

function missing(keys: readonly string[], { add, projectDir }: ProjectEngine): HostCheck {
  return {
    name: "extension",
    level: "error",
    message: `${list(keys)} ${keys.length === 1 ? "is" : "are"} configured, and ${PACKAGE} is not installed in ${projectDir}: no call can be made`,
    fix: `${add} ${PACKAGE}`,
  };
}

async function checkPackage(
  { version = "of no version", dir, manifest }: LocatedPackage,
  keys: readonly string[],
  { version: own, add }: ProjectEngine,
): Promise<HostCheck> {
  const range = (Object(manifest["dependencies"]) as Record<string, unknown>)["@aiw/executor"];
  if (await fitsRange(own, range))
    return { name: "extension", level: "ok", message: `${list(keys)}: ${PACKAGE} ${version} in ${dir}` };
  return {
    name: "extension",
    level: "warning",
    message: `${PACKAGE} ${version} in ${dir} is made for @aiw/executor ${String(range)}, and this command brings ${own}`,
    fix: `Use the same release of both: ${add} ${PACKAGE}@${own}`,
  };
}

function checkDoor(key: string, { manifest, version, dir }: LocatedPackage, { add }: ProjectEngine): HostCheck[] {
  const door = `./${DOORS.get(key) ?? key}`;
  if (Object.hasOwn(Object(manifest["exports"]) as object, door)) return [];
  return [
    {
      name: "extension",
      level: "error",
      message: `extensions.${key} is configured, and ${PACKAGE} ${version ?? ""} in ${dir} has no ${door.slice(2)}: no call can be made`,
      fix: `Update it: ${add} ${PACKAGE}@latest`,
    },
  ];
}

/** Optional peers are resolved as the extensions themselves would. */
async function checkPeers({ dir, manifest }: LocatedPackage, engine: ProjectEngine): Promise<HostCheck[]> {
  const ranges = Object(manifest["peerDependencies"]) as Record<string, unknown>;
  const checks: HostCheck[] = [];
  for (const { key, names } of listNeeds(engine.config.extensions ?? {})) {
    const located = names.map((name) => ({ name, found: locateImported(name, dir), range: ranges[name] }));
    const absent = located.filter(({ found }) => found === undefined).map(({ name }) => name);
    if (absent.length > 0) checks.push(absentPeers(key, absent, engine));
    for (const { name, found, range } of located)
      if (found !== undefined && !(await fitsRange(found.version, range)))
        checks.push(unfitPeer({ key, name, version: found.version, range: String(range), add: engine.add }));
  }
  return checks;
}

interface Need {
  readonly key: string;
  readonly names: readonly string[];
}

function listNeeds({ logging, telemetry }: NonNullable<AiwConfig["extensions"]>): Need[] {
  const exporters = [
    ...(telemetry?.otlp === undefined ? [] : ["@opentelemetry/otlp-transformer"]),
    ...(telemetry?.prometheus === undefined ? [] : ["@opentelemetry/exporter-prometheus"]),
  ];
  const sdk = exporters.length === 0 ? [] : SDK;
  return [
    ...(logging === undefined ? [] : [{ key: "logging", names: ["pino"] }]),
    ...(telemetry === undefined ? [] : [{ key: "telemetry", names: [...OPENTELEMETRY, ...sdk, ...exporters] }]),
  ];
}

function absentPeers(key: string, names: readonly string[], { add }: ProjectEngine): HostCheck {
  const are = names.length === 1 ? "which is" : "which are";
  return {
    name: "extension",
    level: "error",
    message: `extensions.${key} needs ${list(names)}, ${are} not installed: no call can be made`,
    fix: `${add} ${names.join(" ")}`,
  };
}

interface Unfit {
  readonly key: string;
  readonly name: string;
  readonly version: string | undefined;
  readonly range: string;
  readonly add: string;
}

function unfitPeer({ key, name, version, range, add }: Unfit): HostCheck {
  return {
    name: "extension",
    level: "warning",
    message: `extensions.${key} needs ${name} ${range}, and ${version ?? "another"} is installed`,
    fix: `${add} "${name}@${range}"`,
  };
}

/** What waits turns nothing on yet, which is easily taken for being on. */
function checkWaiting({ report }: ProjectEngine): HostCheck[] {
  const pointers = report.waiting
    .filter(({ subject }) => subject === "configuration")
    .flatMap(({ parts }) => parts.flatMap((part) => /^\/extensions\/(\w+)/u.exec(part)?.[1] ?? []));
  const keys = [...new Set(pointers)];
  if (keys.length === 0) return [];
  return [
    {
      name: "extension",
      level: "warning",
      message: `${list(keys)} ${keys.length === 1 ? "waits" : "wait"} for trust and ${keys.length === 1 ? "does" : "do"} nothing yet`,
      fix: "Look at what the project would have: aiw trust",
    },
  ];
}

function list(names: readonly string[]): string {
  return names.join(", ");
}
