import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { AiwError } from "@aiw/core";
import { oneLine } from "../../output/one-line.ts";
import { isRecord } from "../author/declared-tools.ts";

/**
 * Writes a built file beside its place and renames it; the same bytes stay untouched. True when the file is another one now.
 * @throws AiwError `manifest_not_writable`
 */
export async function replaceFile(file: string, text: string): Promise<boolean> {
  if ((await readText(file)) === text) return false;
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, file);
    return true;
  } catch (cause) {
    // Where a file is in the way of the folder, not even this is forgiven.
    await rm(temporary, { force: true }).catch(() => undefined);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AiwError("manifest_not_writable", `${oneLine(file)} cannot be written: ${oneLine(why)}`, {
      fix: `Make ${oneLine(path.dirname(file))} a folder that can be written.`,
      cause,
    });
  }
}

/**
 * Keeps a build from taking the place of a file that no build wrote, such as package.json.
 * @throws AiwError `manifest_not_writable`
 */
export async function assertManifestPlace(file: string): Promise<void> {
  const text = await readText(file);
  if (text === undefined || text.trim() === "" || isManifest(text)) return;
  throw new AiwError("manifest_not_writable", `${oneLine(file)} is there already and is no manifest.`, {
    fix: 'Declare another place: "aiwhisperer": { "apiVersion": 1, "tools": "./aiw-tools.json" }',
  });
}

/** Removes the manifest of an earlier build, and nothing else that may be there. */
export async function removeManifest(file: string): Promise<boolean> {
  const text = await readText(file);
  if (text === undefined || !isManifest(text)) return false;
  await rm(file, { force: true });
  return true;
}

function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

function isManifest(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && "manifestVersion" in value;
  } catch {
    return false;
  }
}
