import { accessSync, constants, lstatSync, statSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { AiwError } from "@aiw/core";
import { resolveSecrets } from "@aiw/core/node";
import { AuditChain, locateTrail, openTrail, type AuditSettings } from "@aiw/extensions/audit";
import type { HostCheck } from "../inspect-host.ts";
import type { ProjectEngine } from "./project-engine.ts";

/** Checks that calls can be recorded where the configuration says, without writing there, and how far the record goes. */
export async function checkAudit({ config, projectDir, environment }: ProjectEngine): Promise<HostCheck[]> {
  const settings = config.extensions?.audit;
  if (settings === undefined) return [];
  const path = locateTrail(settings, projectDir);
  const obstacle = findObstacle(path);
  if (obstacle !== undefined) return [cannotWrite(path, { obstacle, settings })];
  try {
    return [await checkHead(path, settings, environment)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fix = AiwError.is(error) && error.fix !== undefined ? error.fix : "Look: aiw audit verify";
    return [{ name: "audit", level: "error", message: why, fix }];
  }
}

/** Why a record could not be added; undefined where nothing speaks against it. */
function findObstacle(path: string): string | undefined {
  const entry = readEntry(path);
  if (entry !== undefined && !entry.isFile()) return `${path} is no file`;
  const place = entry === undefined ? findFolder(dirname(path)) : path;
  if (entry === undefined && !statSync(place).isDirectory()) return `${place} is no folder`;
  try {
    accessSync(place, constants.W_OK | (entry === undefined ? constants.X_OK : constants.R_OK));
    return undefined;
  } catch (error) {
    return `${place} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The nearest thing that is there already; the other folders would be made. */
function findFolder(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (readEntry(at) !== undefined) return at;
  return folder;
}

function readEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below what is no folder there is nothing.
    return undefined;
  }
}

interface Blocked {
  readonly obstacle: string;
  readonly settings: AuditSettings;
}

function cannotWrite(path: string, { obstacle, settings: { onFailure = "block" } }: Blocked): HostCheck {
  const blocks = onFailure === "block";
  return {
    name: "audit",
    level: blocks ? "error" : "warning",
    message: `calls cannot be recorded in ${path}: ${obstacle}; ${blocks ? "every call is refused" : "calls go on unrecorded"}`,
    fix: "Make it writable for whoever runs the calls, or name another place in extensions.audit.",
  };
}

/** @throws AiwError `config_invalid` for a key that is not set or too short */
async function checkHead(
  path: string,
  { key }: AuditSettings,
  environment: ProjectEngine["environment"],
): Promise<HostCheck> {
  if (key !== undefined) resolveSecrets({ extensions: { audit: { key } } }, environment);
  const chain = new AuditChain(key === undefined ? undefined : environment[key.$env]);
  const source = await openTrail(path);
  if (source === undefined)
    return { name: "audit", level: "ok", message: `${path} can be written; no call is recorded yet` };
  const head = await source.readHead(chain);
  if (typeof head === "object")
    return {
      name: "audit",
      level: "ok",
      message: `${path} can be written; it goes to record ${head.seq}, ${head.hash || "none yet"}`,
    };
  return {
    name: "audit",
    level: "warning",
    message: `${path}: the note of how far the record goes is ${head === "missing" ? "missing" : "unreadable, or sealed with another key"}`,
    fix: "See whether records are missing or changed: aiw audit verify",
  };
}
