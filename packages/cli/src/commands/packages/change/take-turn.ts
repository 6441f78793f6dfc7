import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import * as path from "node:path";
import { AiwError } from "@aiw/core";
import { isRecord } from "../open-package-project.ts";
import { oneLine } from "../../../output/one-line.ts";

/** The right to change a project's packages; one process has it at a time. */
export interface Turn {
  /** Keeps a copy of a file as it was, for whoever comes after a crash. */
  keep(file: string, bytes: Buffer): Promise<void>;
  /** Says where the copies of a process are that was killed before it could put anything back. */
  readonly abandoned: string | undefined;
  release(): Promise<void>;
}

/** Under the folder where other records of the project are. */
const PLACE = path.join(".aiw", "package-change");

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
}

/** Tries, where turns of dead processes are in the way. */
const TRIES = 3;

/**
 * Takes the turn of a folder, over from a process that is dead; it is there with its owner's name or not at all.
 * @throws AiwError `package_change_running`, `package_change_failed`
 */
export async function takeTurn(root: string): Promise<Turn> {
  const place = path.join(root, PLACE);
  const own = `${place}-${randomUUID()}`;
  const owner: Owner = { pid: process.pid, host: hostname(), startedAt: new Date().toISOString() };
  let abandoned: string | undefined;
  try {
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(path.join(own, "owner.json"), JSON.stringify(owner), { mode: 0o600 });
    // Copies of settings may hold credentials; what a killed process leaves is neither committed nor published.
    await writeFile(path.join(own, ".gitignore"), "*\n", { mode: 0o600 });
    for (let tries = 0; !(await take(own, place)); tries += 1) {
      if (tries === TRIES) throw running(place, undefined);
      abandoned = (await clearDead(place)) ?? abandoned;
    }
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    await removeEmpty(path.dirname(place));
    if (AiwError.is(error)) throw error;
    throw new AiwError(
      "package_change_failed",
      `Nothing was changed: ${oneLine(path.dirname(place))} cannot be written.`,
      {
        fix: "Make the project's folder writable.",
        cause: error,
      },
    );
  }
  let copies = 0;
  return {
    abandoned,
    keep: async (file, bytes) => {
      const name = `${(copies += 1)}-${path.basename(file)}`;
      await writeFile(path.join(place, name), bytes, { mode: 0o600 });
    },
    release: async () => {
      await rm(place, { recursive: true, force: true });
      await removeEmpty(path.dirname(place));
    },
  };
}

/** A folder never takes the place of one that has something in it. */
async function take(own: string, place: string): Promise<boolean> {
  try {
    await rename(own, place);
    return true;
  } catch (error) {
    const isThere = ["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(toErrno(error));
    if (isThere && (await readOwner(place)) !== undefined) return false;
    // Somebody's that is coming or going, or was left without its owner's name.
    if (["ENOTEMPTY", "EEXIST"].includes(toErrno(error))) throw running(place, undefined);
    throw error;
  }
}

/** Moves a dead process's turn aside; one that began meanwhile is put back. */
async function clearDead(place: string): Promise<string | undefined> {
  const owner = await readOwner(place);
  if (owner === undefined) return undefined;
  if (isAlive(owner)) throw running(place, owner);
  const aside = `${place}-ended-${owner.startedAt.replaceAll(/[^\w-]/g, "-")}-${owner.pid}`;
  await rename(place, aside).catch(() => undefined);
  const moved = await readOwner(aside);
  if (moved === undefined || moved.pid === owner.pid) return moved === undefined ? undefined : aside;
  await rename(aside, place).catch(() => undefined);
  throw running(place, moved);
}

async function readOwner(place: string): Promise<Owner | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(place, "owner.json"), "utf8"));
    if (!isRecord(value)) return undefined;
    const { pid, host, startedAt } = value;
    return typeof pid === "number" && typeof host === "string" && typeof startedAt === "string"
      ? { pid, host, startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Of a process on another machine nobody here can tell. */
function isAlive({ pid, host }: Owner): boolean {
  if (host !== hostname()) return true;
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return toErrno(error) !== "ESRCH";
  }
}

function running(place: string, owner: Owner | undefined): AiwError {
  const who = owner === undefined ? "Another process" : `Process ${owner.pid} on ${oneLine(owner.host)}`;
  return new AiwError(
    "package_change_running",
    `${who} adds or removes packages of this project; nothing was changed.`,
    {
      fix: `Wait until it has ended. If none runs, remove ${oneLine(place)}`,
    },
  );
}

async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

function toErrno(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
