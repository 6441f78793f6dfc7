import { createHash } from "node:crypto";
import * as path from "node:path";
import { hashContent } from "../../config/trust/hash-content.ts";
import { compareText } from "../../register/create-finding.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { readBytes } from "../files/read-text.ts";
import { findWrittenTexts, type ScanBudget } from "./find-written-texts.ts";

/** What would run, for whoever has to trust it. */
export interface TrustedContentOptions {
  /** With links followed. */
  readonly dir: string;
  /** Modules that would be loaded, as absolute paths. */
  readonly modules: readonly string[];
  /** What decides how they are loaded. */
  readonly settings: readonly LoadingSettings[];
}

/** The members of a package.json that decide how code is loaded. */
export interface LoadingSettings {
  /** The folder of the package.json, with links followed. */
  readonly dir: string;
  readonly text: string;
}

/** Content with a name of its own. */
export interface TrustedContent {
  /** `sha256-…` of every file's path and bytes, and of the settings. */
  readonly hash: string;
  /** Relative to the folder, sorted; the modules themselves included. */
  readonly files: readonly string[];
  /** The SHA-256 of each file, in hexadecimal. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** Files and bytes beyond which nobody could look at the content. */
const MAX_FILES = 2_000;
const MAX_BYTES: number = 16 * 1024 * 1024;

/** Texts that may be a path, of which each is looked for under a few names, and characters looked at to find them. */
const MAX_TEXTS = 10_000;
const MAX_STEPS = 100_000_000;

/** What an import may leave out at the end. */
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.cjs", "/index.mjs", "/index.ts"];

/** What code may write in place of a character. */
const ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^ux]))/g;

/** A text that the nearest package.json resolves. */
const INTERNAL = /["'`][#\\]/;

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
  const named = new Set(modules);
  const budget: ScanBudget = { steps: MAX_STEPS, texts: MAX_TEXTS };
  for (const one of settings) {
    if (!addNamed(named, { dir: one.dir, text: Buffer.from(one.text).toString("latin1"), budget })) return undefined;
  }
  const known = new Set(settings.map((one) => path.join(one.dir, "package.json")));
  let bytes = 0;
  for (const file of named) {
    const real = toRegularFile(file, fs);
    if (real === undefined || hashes.has(real)) continue;
    const content = readBytes(fs, real, MAX_BYTES - bytes);
    if (content === undefined) return undefined;
    bytes += content.length;
    hashes.set(real, createHash("sha256").update(content).digest("hex"));
    const text = content.toString("latin1");
    if (!addNamed(named, { text, dir: path.dirname(real), budget })) return undefined;
    const decisive = INTERNAL.test(text) ? findPackageFile(path.dirname(real), fs) : undefined;
    if (decisive !== undefined && !known.has(decisive)) named.add(decisive);
    if (hashes.size > MAX_FILES) return undefined;
  }
  const files = [...hashes]
    .map(([file, hash]) => ({ name: toName(file, dir), hash }))
    .toSorted((a, b) => compareText(a.name, b.name));
  return {
    hash: hashContent({
      files: files.map(({ name, hash }) => [name.toWellFormed(), hash]),
      settings: settings.map((one) => [toName(one.dir, dir), one.text]),
    }),
    files: files.map(({ name }) => name),
    hashes: new Map(files.map(({ name, hash }) => [name, hash])),
  };
}

function toName(file: string, dir: string): string {
  return path.relative(dir, file).split(path.sep).join("/");
}

/** Text with one character a byte. */
interface ScannedText extends LoadingSettings {
  readonly budget: ScanBudget;
}

/** Adds every file a text may name; false when there are more than anybody could look at. */
function addNamed(named: Set<string>, { text, dir, budget }: ScannedText): boolean {
  const written = findWrittenTexts(text, budget);
  for (const one of written ?? []) {
    // Paths are written in UTF-8, and files are read byte by byte.
    const plain = unescapeText(Buffer.from(one, "latin1").toString("utf8"));
    if (!/^\.{1,2}(?:\/|$)/.test(plain)) continue;
    for (const target of toTargets(plain, dir)) named.add(target);
  }
  return written !== undefined;
}

/** Imports are URLs and requires are paths, so that a percent sign may mean itself or another character. */
function toTargets(written: string, from: string): string[] {
  const asUrl = written.replace(/[?#].*$/, "");
  const targets = new Set([written, asUrl, decode(asUrl)].map((one) => path.resolve(from, one)));
  return [...targets].flatMap((target) => ENDINGS.map((ending) => target + ending));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unescapeText(text: string): string {
  return text.replaceAll(ESCAPE, (...found: readonly (string | undefined)[]) => {
    const [, braced, four, two, itself = ""] = found;
    const code = Number.parseInt(braced ?? four ?? two ?? "", 16);
    if (Number.isNaN(code)) return itself;
    return code > 0x10_ff_ff ? "" : String.fromCodePoint(code);
  });
}

/** The nearest one decides what a text that begins with `#` means. */
function findPackageFile(from: string, fs: DiscoveryFileSystem): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    const file = path.join(at, "package.json");
    if (toRegularFile(file, fs) !== undefined) return file;
    if (path.dirname(at) === at) return undefined;
  }
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
