import { createHash } from "node:crypto";
import * as path from "node:path";
import { hashContent } from "../../config/trust/hash-content.ts";
import { compareText } from "../../register/create-finding.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { readBytes } from "../files/read-text.ts";

/** What would run, for whoever has to trust it. */
export interface TrustedContentOptions {
  /** With links followed. */
  readonly dir: string;
  /** Modules that would be loaded, as absolute paths. */
  readonly modules: readonly string[];
  /** What decides how they are loaded, such as parts of a package.json. */
  readonly settings: readonly string[];
}

/** Content with a name of its own. */
export interface TrustedContent {
  /** `sha256-…` of every file's path and bytes, and of the settings. */
  readonly hash: string;
  /** Relative to the folder, sorted; the modules themselves included. */
  readonly files: readonly string[];
}

/** Files and bytes beyond which nobody could look at the content. */
const MAX_FILES = 2_000;
const MAX_BYTES: number = 16 * 1024 * 1024;

/** Texts that look like a path, of which each is looked for under a few names. */
const MAX_LOOKUPS = 10_000;

/** What an import may leave out at the end. */
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.cjs", "/index.mjs", "/index.ts"];

/** A text in code that looks like a relative path: more than imports name, and every import that is written out. */
const RELATIVE = /(["'`])(\.{1,2}\/[^"'`\n\r$]{1,512})\1/g;

/**
 * Reads the modules that would run and every file they name by a relative path, those they name included.
 * A path that code computes is the business of code that was trusted. Undefined when there is too much of it to look at.
 */
export function readTrustedContent(
  { dir, modules, settings }: TrustedContentOptions,
  fs: DiscoveryFileSystem,
): TrustedContent | undefined {
  const hashes = new Map<string, string>();
  // A set goes on to what is added while it is walked.
  const named = new Set([...modules, ...settings.flatMap((text) => namedFiles(text, dir))]);
  let bytes = 0;
  for (const file of named) {
    const real = toRegularFile(file, fs);
    if (real === undefined || hashes.has(real)) continue;
    const content = readBytes(fs, real, MAX_BYTES - bytes);
    if (content === undefined) return undefined;
    bytes += content.length;
    hashes.set(real, createHash("sha256").update(content).digest("hex"));
    for (const next of namedFiles(content.toString("latin1"), path.dirname(real))) named.add(next);
    if (hashes.size > MAX_FILES || named.size > MAX_LOOKUPS * ENDINGS.length) return undefined;
  }
  const files = [...hashes]
    .map(([file, hash]) => ({ name: path.relative(dir, file).split(path.sep).join("/"), hash }))
    .toSorted((a, b) => compareText(a.name, b.name));
  return {
    hash: hashContent({ files: files.map(({ name, hash }) => [name.toWellFormed(), hash]), settings }),
    files: files.map(({ name }) => name),
  };
}

function namedFiles(text: string, from: string): string[] {
  return [...text.matchAll(RELATIVE)].flatMap(([, , named = ""]) => {
    // Paths are written in UTF-8, and this text was read byte by byte.
    const target = path.resolve(from, Buffer.from(named.replace(/[?#].*$/, ""), "latin1").toString("utf8"));
    return ENDINGS.map((ending) => target + ending);
  });
}

/** Where a file really is; undefined for everything that is no regular file. */
function toRegularFile(file: string, fs: DiscoveryFileSystem): string | undefined {
  try {
    const real = fs.realpathSync(file);
    return fs.statSync(real).isFile() ? real : undefined;
  } catch {
    // Most texts that look like a path are none.
    return undefined;
  }
}
