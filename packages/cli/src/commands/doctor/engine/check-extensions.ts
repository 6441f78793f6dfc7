import { sep } from "node:path";
import type { AiwConfig } from "@aiw/core";
import type { HostCheck } from "../inspect-host.ts";
import { fitsRange } from "./fits-range.ts";
import { locateImported, locateOwn } from "./locate-package.ts";
import type { ProjectEngine } from "./project-engine.ts";

const PACKAGE = "@aiw/extensions";
const EXECUTOR = "@aiw/executor";

const SDK = ["@opentelemetry/sdk-trace", "@opentelemetry/sdk-metrics", "@opentelemetry/resources"];

/** Checks that what the configuration turns on can be opened, by this command and by programs of the project. */
export async function checkExtensions(engine: ProjectEngine): Promise<HostCheck[]> {
  const keys = Object.entries(engine.config.extensions ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  if (keys.length === 0) return checkWaiting(engine);
  const ready: HostCheck = {
    name: "extension",
    level: "ok",
    message: `${list(keys)}: this command brings ${PACKAGE} ${engine.version}`,
  };
  return [ready, ...(await checkPeers(engine)), ...(await checkPrograms(keys, engine)), ...checkWaiting(engine)];
}

/** What extensions need beside them is found from where the command is installed. */
async function checkPeers({ config, program, add, projectDir }: ProjectEngine): Promise<HostCheck[]> {
  const own = locateOwn("@aiw/cli", program);
  if (own === undefined) return [];
  const ranges = Object(own.manifest["peerDependencies"]) as Record<string, unknown>;
  const checks: HostCheck[] = [];
  for (const { key, names } of listNeeds(config.extensions ?? {})) {
    const located = names.map((name) => ({ name, found: locateImported(name, own.dir), range: ranges[name] }));
    const absent = located.filter(({ found }) => found === undefined).map(({ name }) => name);
    if (absent.length > 0) checks.push(absentPeers(key, absent, { add, dir: own.dir, projectDir }));
    for (const { name, found, range } of located)
      if (found !== undefined && !(await fitsRange(found.version, range)))
        checks.push(unfitPeer({ key, name, version: found.version, range: String(range), add }));
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
    ...(telemetry === undefined ? [] : [{ key: "telemetry", names: ["@opentelemetry/api", ...sdk, ...exporters] }]),
  ];
}

interface Place {
  readonly add: string;
  /** Where the command is installed. */
  readonly dir: string;
  readonly projectDir: string;
}

function absentPeers(key: string, names: readonly string[], { add, dir, projectDir }: Place): HostCheck {
  return {
    name: "extension",
    level: "error",
    message: `extensions.${key} needs ${list(names)} beside this command (${dir}), and cannot be opened: no call can be made`,
    fix: isInstalledFor(projectDir, dir)
      ? `${add} ${names.join(" ")}`
      : `Install them there, as by: npm install --global ${names.join(" ")}. Or make this command a dependency of the project.`,
  };
}

/** True for a command of the project or of a workspace that it is in. */
function isInstalledFor(projectDir: string, dir: string): boolean {
  const [root = dir] = dir.split(`${sep}node_modules${sep}`);
  return `${projectDir}${sep}`.startsWith(`${root}${sep}`);
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

/** A program that opens the project's tools brings its own engine, and needs extensions that fit it. */
async function checkPrograms(keys: readonly string[], { projectDir, add }: ProjectEngine): Promise<HostCheck[]> {
  const executor = locateImported(EXECUTOR, projectDir);
  if (executor === undefined) return [];
  const found = locateImported(PACKAGE, projectDir);
  const say = (message: string, fix: string): HostCheck[] => [{ name: "extension", level: "warning", message, fix }];
  if (found === undefined)
    return say(
      `programs of the project that open its tools cannot: ${list(keys)} need ${PACKAGE} beside ${EXECUTOR}`,
      `${add} ${PACKAGE}`,
    );
  const range = (Object(found.manifest["dependencies"]) as Record<string, unknown>)[EXECUTOR];
  if (await fitsRange(executor.version, range)) return [];
  return say(
    `the project's ${PACKAGE} ${found.version ?? ""} is made for ${EXECUTOR} ${String(range)}, and ${executor.version ?? "another"} is installed`,
    `Use the same release of both: ${add} ${EXECUTOR}@latest ${PACKAGE}@latest`,
  );
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
