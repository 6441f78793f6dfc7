import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { AiwError } from "@aiw/core";
import { resolveSecrets } from "@aiw/core/node";
import { AuditChain, locateTrail, openTrail, type AuditSettings, type TrailSource } from "@aiw/extensions/audit";
import type { HostCheck } from "../inspect-host.ts";
import { findFolder, findObstacle } from "./find-obstacle.ts";
import type { ProjectEngine } from "./project-engine.ts";

/** Checks that calls can be recorded where the configuration says, without writing there, and how far the record goes. */
export async function checkAudit({ config, projectDir, environment }: ProjectEngine): Promise<HostCheck[]> {
  const settings = config.extensions?.audit;
  if (settings === undefined) return [];
  if (settings.file !== undefined && settings.database !== undefined) return [TWO_PLACES];
  const path = locateTrail(settings, projectDir);
  try {
    if (!isAbsolute(settings.database ?? settings.file ?? "") && leadsOut(path, projectDir))
      return [cannotWrite(path, { obstacle: "it is outside the project", settings, fix: NAME_ABSOLUTE })];
    const obstacle = findObstacle(path, { isRead: true });
    if (obstacle !== undefined) return [cannotWrite(path, { obstacle, settings, fix: MAKE_WRITABLE })];
    return [await checkHead(path, settings, environment)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fix = AiwError.is(error) && error.fix !== undefined ? error.fix : "Look: aiw audit verify";
    return [{ name: "audit", level: "error", message: why, fix }];
  }
}

const TWO_PLACES: HostCheck = {
  name: "audit",
  level: "error",
  message: "extensions.audit names a file and a database; every call fails",
  fix: "Leave one out.",
};

const NAME_ABSOLUTE = "Name an absolute path in extensions.audit, or one in the project.";
const MAKE_WRITABLE = "Make it writable for whoever runs the calls, or name another place in extensions.audit.";
const NAME_ANOTHER = "Name another place in extensions.audit.";

/** Links count: what is there already decides. */
function leadsOut(path: string, projectDir: string): boolean {
  const way = relative(realpathSync(projectDir), realpathSync(findFolder(dirname(path))));
  return isAbsolute(way) || way.split(sep)[0] === "..";
}

interface Blocked {
  readonly obstacle: string;
  readonly settings: AuditSettings;
  readonly fix: string;
}

function cannotWrite(path: string, { obstacle, settings: { onFailure = "block" }, fix }: Blocked): HostCheck {
  const blocks = onFailure === "block";
  return {
    name: "audit",
    level: blocks ? "error" : "warning",
    message: `calls cannot be recorded in ${path}: ${obstacle}; ${blocks ? "every call is refused" : "calls go on unrecorded"}`,
    fix,
  };
}

/** @throws AiwError `config_invalid` for a key that is not set or too short */
async function checkHead(
  path: string,
  settings: AuditSettings,
  environment: ProjectEngine["environment"],
): Promise<HostCheck> {
  const { key } = settings;
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
  if (!(await hasRecord(source)))
    return cannotWrite(path, { obstacle: "it holds something else than records", settings, fix: NAME_ANOTHER });
  return {
    name: "audit",
    level: "warning",
    message: `${path}: the note of how far the record goes is ${head === "missing" ? "missing" : "unreadable, or sealed with another key"}`,
    fix: "See whether records are missing or changed: aiw audit verify",
  };
}

/** True for a file with a record in it, whatever sealed it, and for an empty one; a database has its tables or none. */
async function hasRecord(source: TrailSource): Promise<boolean> {
  let isEmpty = true;
  for await (const { bytes } of source.lines()) {
    isEmpty = false;
    if (isRecordLine(Buffer.from(bytes).toString())) return true;
  }
  return isEmpty;
}

function isRecordLine(line: string): boolean {
  try {
    const { seq, hash } = Object(JSON.parse(line)) as { readonly seq?: unknown; readonly hash?: unknown };
    return typeof seq === "number" && typeof hash === "string";
  } catch {
    return false;
  }
}
