import { createHash, randomUUID } from "node:crypto";
import { constants, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { AiwError } from "@aiw/core";
import { oneLine } from "../../output/one-line.ts";
import { isRecord } from "../author/declared-tools.ts";
import type { MadeManifest } from "../author/manifest/manifest-maker.ts";
import { listPublished } from "./list-published.ts";

/** Names that a folder of tools passes over: a package called so is served under another. */
const PASSED_OVER = /^(?:\..*|node_modules|tests?|__.*__)$/;

/**
 * The folder that hosts read a package under development from: `node_modules/.aiw-dev` of the package, so that what the tools import
 * is found as from the package itself. It has one entry, a link to the newest snapshot. Each snapshot lies in a folder of its own:
 * a process that has loaded the code of the former one can load that of the next.
 */
export class ServedFolder {
  /** What `AIWHISPERER_PLUGINS_DIR` names. */
  readonly dir: string;
  readonly #packageDir: string;
  #digest: string | undefined;
  #newest: string | undefined;

  /** @throws AiwError `dev_running` when another process serves the package. */
  constructor(packageDir: string) {
    this.#packageDir = packageDir;
    this.dir = path.join(packageDir, "node_modules", ".aiw-dev");
    takeFolder(this.dir);
  }

  /** Serves what the package would publish now; false when that is what it serves already. */
  async publish(made: MadeManifest): Promise<boolean> {
    const files = readPublished(made);
    const digest = toDigest(files);
    if (digest === this.#digest) return false;
    const snapshot = path.join(this.dir, ".snapshots", randomUUID());
    await mkdir(snapshot, { recursive: true });
    for (const { file, content } of files) await put(path.join(snapshot, file), content);
    await switchLink(path.join(this.dir, toServedName(made.author.name)), snapshot);
    await this.#removeOthers(snapshot);
    this.#digest = digest;
    this.#newest = snapshot;
    return true;
  }

  /** Removes all of it, also while the process ends. */
  close(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 3 });
    try {
      // Only where nothing else is in it.
      rmdirSync(path.join(this.#packageDir, "node_modules"));
    } catch {
      // The package has dependencies.
    }
  }

  /** A host may be about to load from the one before. */
  async #removeOthers(newest: string): Promise<void> {
    const kept = new Set([newest, this.#newest]);
    const folder = path.join(this.dir, ".snapshots");
    for (const name of await readdir(folder)) {
      const snapshot = path.join(folder, name);
      if (!kept.has(snapshot)) await rm(snapshot, { recursive: true, force: true });
    }
  }
}

/** The name that ids of the package's tools begin with, after `dir:`. */
export function toServedName(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return PASSED_OVER.test(last) ? `${name.slice(0, name.length - last.length)}dev-${last}` : name;
}

interface PublishedFile {
  /** From the package's folder. */
  readonly file: string;
  /** A path to copy from, or text. */
  readonly content: { readonly from: string } | { readonly text: string };
}

/** The declaration of the snapshot names the manifest, whatever form that of the package has. */
function readPublished({ author, path: manifest, text }: MadeManifest): PublishedFile[] {
  const { dir, packageJson, manifestPath } = author;
  const declaration = packageJson["aiwhisperer"];
  const aiwhisperer = { ...(isRecord(declaration) && declaration), tools: manifestPath };
  const own = path.relative(dir, manifest);
  return [
    { file: "package.json", content: { text: JSON.stringify({ ...packageJson, aiwhisperer }, undefined, 2) } },
    { file: own, content: { text } },
    ...listPublished(author)
      .filter((file) => file !== own)
      .map((file) => ({ file, content: { from: path.join(dir, file) } })),
  ];
}

function toDigest(files: readonly PublishedFile[]): string {
  const hash = createHash("sha256");
  for (const { file, content } of files) {
    const bytes = "text" in content ? Buffer.from(content.text) : readFileSync(content.from);
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("base64");
}

async function put(file: string, content: PublishedFile["content"]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  if ("text" in content) await writeFile(file, content.text);
  // A copy: compilers write over their files, and a link would change with them.
  else await copyFile(content.from, file, constants.COPYFILE_FICLONE);
}

/** A reader sees the former snapshot or the next, never none. */
async function switchLink(link: string, snapshot: string): Promise<void> {
  await mkdir(path.dirname(link), { recursive: true });
  const temporary = path.join(path.dirname(link), `.${randomUUID()}`);
  await symlink(path.relative(path.dirname(link), snapshot), temporary, "dir").catch(
    async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPERM") throw error;
      // Windows without the right to make links: a junction needs none, and no relative path.
      await symlink(snapshot, temporary, "junction");
    },
  );
  await rename(temporary, link).catch(async () => {
    await rm(link, { recursive: true, force: true });
    await rename(temporary, link);
  });
}

const LOCK = ".lock";

/** Of two that start at once one gets the folder; what a killed process left is removed. */
function takeFolder(dir: string): void {
  for (let attempt = 0; ; attempt += 1) {
    mkdirSync(dir, { recursive: true });
    try {
      writeFileSync(path.join(dir, LOCK), String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (!isThere(error) || attempt >= 3) throw error;
    }
    const owner = readOwner(dir);
    if (owner !== undefined)
      throw new AiwError("dev_running", `Another aiw dev (process ${owner}) serves this package already.`, {
        fix: `Use it, or end it first; where no such process is left, delete ${oneLine(dir)}`,
      });
    rmSync(dir, { recursive: true, force: true });
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

/** The process that holds the folder, while it lives. */
function readOwner(dir: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(dir, LOCK), "utf8"));
    if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // It lives, and is somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM" ? -1 : undefined;
  }
}
