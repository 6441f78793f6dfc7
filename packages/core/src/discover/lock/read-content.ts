import * as path from "node:path";
import { toCanonicalJson } from "../../schema/canonical-json.ts";
import { isRecord } from "../../schema/is-record.ts";
import { quote } from "../../register/create-finding.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import { readText } from "../files/read-text.ts";
import { MAX_PACKAGE_JSON } from "../find-project.ts";
import { modulesOf, type PackageRecord } from "../read/read-package.ts";
import { readTrustedContent } from "../trust/read-trusted-content.ts";
import { isAbsent } from "../locate-packages.ts";
import { hashBytes, hashValue } from "./hash-bytes.ts";
import { hashFolder, UnpinnableContent, type FileHashes } from "./hash-folder.ts";

/** The members of a package.json that decide which code is loaded, under a name no file has. */
const SETTINGS = "package.json (aiwhisperer, exports, imports, main, type)";

/** Of a manifest what is in no definition: defaults of options steer code. */
const OPTIONS = "manifest (optionsSchema)";

/** What is hashed of a package. */
export type ContentRecord = Pick<PackageRecord, "realDir" | "source" | "module" | "tools" | "optionsSchema">;

/** True where every file of the folder belongs to the package: somebody installed it, and nobody works in it. */
export function isInstalled({ source, realDir }: Pick<ContentRecord, "source" | "realDir">): boolean {
  return source === "package" && realDir.split(path.sep).includes("node_modules");
}

/**
 * Hashes what of a package may run: of an installed one every file; of a folder somebody works in (linked, the project's own, a
 * directory's) the modules, the files that definitions and they name by relative paths, and the settings that decide how they are loaded.
 * @throws UnpinnableContent
 */
export function readContent(record: ContentRecord, fs: DiscoveryFileSystem): FileHashes {
  return isInstalled(record) ? hashFolder(record.realDir, fs) : hashNamed(record, fs);
}

function hashNamed(record: ContentRecord, fs: DiscoveryFileSystem): FileHashes {
  const { realDir: dir, tools, optionsSchema } = record;
  const text = readSettings(dir, fs);
  const modules = modulesOf(record).map((module) => path.join(dir, module));
  // Modules and scripts of tools that are data.
  const named = tools.flatMap(({ spec }) => listPaths(spec?.implementation)).map((file) => path.resolve(dir, file));
  const content = readTrustedContent({ dir, modules: [...modules, ...named], settings: [{ dir, text }] }, fs);
  if (content === undefined)
    throw new UnpinnableContent("its modules name more files than anybody could look at, or some that cannot be read");
  const files: FileHashes = new Map([[SETTINGS, hashBytes(text)]]);
  if (optionsSchema !== undefined) files.set(OPTIONS, hashValue(optionsSchema));
  for (const [name, hex] of content.hashes) {
    if (path.isAbsolute(name)) throw new UnpinnableContent(`${quote(name)} is on another drive`);
    files.set(name, `sha256-${Buffer.from(hex, "hex").toString("base64")}`);
  }
  for (const [name, hash] of readScopes(dir, [...content.hashes.keys()], fs)) files.set(name, hash);
  const missing = modules.find((module) => !files.has(toName(dir, module, fs)));
  if (missing !== undefined) throw new UnpinnableContent(`${quote(toName(dir, missing, fs))} is not there`);
  return files;
}

/** The texts of a definition that start as relative paths do; most are files, and what is none is no harm. */
function listPaths(value: unknown): string[] {
  if (typeof value === "string") return /^\.{1,2}\//.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((member) => listPaths(member));
}

/** Every package.json between the files and the package's own: the nearest one says what kind of code a file is. */
function readScopes(dir: string, names: readonly string[], fs: DiscoveryFileSystem): FileHashes {
  const folders = new Set<string>();
  for (const name of names)
    for (let at = path.posix.dirname(name); at !== "." && !/^(?:\.\.\/)*\.\.$/.test(at); at = path.posix.dirname(at))
      folders.add(at);
  const found: FileHashes = new Map();
  for (const folder of folders) {
    const name = `${folder}/package.json`;
    const read = readText(fs, path.join(dir, name), { limit: MAX_PACKAGE_JSON });
    if (isAbsent(read)) continue;
    if (read.kind !== "text") throw new UnpinnableContent(`${quote(name)} cannot be read`);
    found.set(name, hashBytes(read.text));
  }
  return found;
}

function toName(dir: string, file: string, fs: DiscoveryFileSystem): string {
  let real = file;
  try {
    real = fs.realpathSync(file);
  } catch {
    // It is named as it would be, where it is missed.
  }
  return path.relative(dir, real).split(path.sep).join("/");
}

function readSettings(dir: string, fs: DiscoveryFileSystem): string {
  const read = readText(fs, path.join(dir, "package.json"), { limit: MAX_PACKAGE_JSON });
  const { value } = { value: undefined, ...(read.kind === "text" ? parseJson(read.text) : {}) };
  if (!isRecord(value)) throw new UnpinnableContent("its package.json cannot be read");
  const { aiwhisperer, exports, imports, main, type } = value;
  return toCanonicalJson({ aiwhisperer, exports, imports, main, type });
}
