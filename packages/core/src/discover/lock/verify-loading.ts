import * as fs from "node:fs";
import { registerHooks, type LoadFnOutput, type RegisterHooksOptions } from "node:module";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { AiwError } from "../../errors/aiw-error.ts";
import { isRecord } from "../../schema/is-record.ts";
import { quote, toShownText } from "../../register/create-finding.ts";
import { hashBytes, normalizeShebang } from "./hash-bytes.ts";
import { PinnedFiles, type FileVerdict, type PinnedFolder } from "./pinned-files.ts";

const pinned = new PinnedFiles();
let isHooked = false;

/**
 * Lets code of these packages be loaded in this process only as it is pinned: what is evaluated are the bytes that were hashed
 * (SEC-LOCK-5). Whoever pins a folder again replaces what it pinned of it before. Threads the code starts load what they will.
 */
export function verifyLoading(owner: string, folders: readonly PinnedFolder[]): void {
  pinned.replace(owner, folders);
  if (isHooked || pinned.isEmpty) return;
  isHooked = true;
  registerHooks(hooks);
}

const hooks: RegisterHooksOptions = {
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    if (pinned.isEmpty || !resolved.url.startsWith("file:")) return resolved;
    const file = toFile(resolved.url);
    const { parentURL } = context;
    const parent = parentURL?.startsWith("file:") === true ? toFile(parentURL) : undefined;
    const isFromPinned = parent !== undefined && pinned.isPinned(parent.real);
    const names = toWanted(specifier, parent);
    const verdict = isFromPinned ? pinned.judgeImport(file.real, names) : undefined;
    const isBare = names.length === 0 && !specifier.startsWith("#");
    if (verdict !== undefined && !(isBare && isOfAnotherPackage(file.real))) throw refuse(file, verdict);
    // Node follows links before anybody is asked: what was named as a file of the package must not have led out of it.
    for (const wanted of names) {
      const left = pinned.judge(wanted, file.real);
      if (left?.hashes.length === 0) throw refuse({ ...file, located: wanted }, left);
    }
    // Nothing gives the bytes of an addon to a hook: they are compared as late as can be.
    if (file.real.endsWith(".node")) readPinned(file);
    return resolved;
  },
  load(url, context, nextLoad) {
    if (pinned.isEmpty || !url.startsWith("file:")) return nextLoad(url, context);
    const bytes = readPinned(toFile(url));
    const loaded = nextLoad(url, context);
    return bytes === undefined ? loaded : withSource(loaded, bytes);
  },
};

interface LoadedFile {
  readonly located: string;
  readonly real: string;
}

function toFile(url: string): LoadedFile {
  const located = fileURLToPath(url.replace(/[?#].*$/, ""));
  try {
    return { located, real: fs.realpathSync.native(located) };
  } catch {
    return { located, real: located };
  }
}

/** What a specifier names before links are followed: as a URL, and as the path that CommonJS takes it for. */
function toWanted(specifier: string, parent: LoadedFile | undefined): string[] {
  if (specifier.startsWith("file:")) return [toFile(specifier).located];
  if (path.isAbsolute(specifier)) return [specifier];
  if (parent === undefined || !/^\.{1,2}(?:\/|$)/.test(specifier)) return [];
  const from = path.dirname(parent.located);
  return [...new Set([path.resolve(from, specifier), path.resolve(from, decode(specifier.replace(/[?#].*$/, "")))])];
}

/** A workspace's members may lie in the folder of its own tools, and are dependencies of these all the same. */
function isOfAnotherPackage(real: string): boolean {
  for (let at = path.dirname(real); ; at = path.dirname(at)) {
    if (pinned.isFolder(at) || path.dirname(at) === at) return false;
    if (hasName(path.join(at, "package.json"))) return true;
  }
}

function hasName(packageJson: string): boolean {
  try {
    const content: unknown = JSON.parse(fs.readFileSync(packageJson, "utf8"));
    return isRecord(content) && typeof content["name"] === "string";
  } catch {
    // Most folders have none.
    return false;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Gives the bytes of a pinned file that are as they were pinned. @throws AiwError `lock_drift` */
function readPinned(file: LoadedFile): Buffer | undefined {
  const verdict = pinned.judge(file.located, file.real);
  if (verdict === undefined) return undefined;
  const bytes = verdict.hashes.length === 0 ? undefined : readFile(file.real);
  if (bytes === undefined || !isPinned(bytes, verdict)) throw refuse(file, verdict);
  return bytes;
}

function isPinned(bytes: Buffer, { hashes }: FileVerdict): boolean {
  return hashes.includes(hashBytes(bytes)) || hashes.includes(hashBytes(normalizeShebang(bytes)));
}

function readFile(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch {
    // Gone since it was resolved.
    return undefined;
  }
}

/** What Node would evaluate it read itself, perhaps later: it gets what was compared, in the form it had. */
function withSource(loaded: LoadFnOutput, bytes: Buffer): LoadFnOutput {
  const { source } = loaded;
  if (source === undefined || source === null) return loaded;
  return { ...loaded, source: typeof source === "string" ? toText(bytes) : bytes, shortCircuit: true };
}

function toText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function refuse({ located }: LoadedFile, { packageKey, hashes }: FileVerdict): AiwError {
  const what = hashes.length === 0 ? "is no file that aiw.lock pins" : "is not what aiw.lock pins";
  return new AiwError("lock_drift", `${quote(located)} of ${toShownText(packageKey)} ${what}.`, {
    fix: "Look at it, then run: aiw lock",
  });
}
