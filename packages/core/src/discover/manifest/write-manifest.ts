import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { messageOf, notWritable } from "./not-writable.ts";
import { renderManifest, type ManifestOptions } from "./render-manifest.ts";

/** What was written. */
export interface WrittenManifest {
  readonly path: string;
  /** Names, sorted. */
  readonly tools: readonly string[];
}

/**
 * Imports a package's built module and writes its static manifest, the same bytes for the same tools.
 * @throws AiwError `manifest_not_writable`, naming what to change.
 */
export async function writeManifest(options: ManifestOptions): Promise<WrittenManifest> {
  const { path, text, tools } = await renderManifest(options);
  await replaceFile(path, text);
  return { path, tools };
}

/** Writes beside and renames, so that a reader sees the old file or the new one; the same bytes stay untouched. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    if ((await readFile(file, "utf8").catch(() => undefined)) === text) return;
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw notWritable(`${file} cannot be written: ${messageOf(cause)}`, "Make the folder writable.", cause);
  }
}
