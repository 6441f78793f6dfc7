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
import { hashBytes } from "./hash-bytes.ts";
import { hashFolder, UnpinnableContent, type FileHashes } from "./hash-folder.ts";

/** The members of a package.json that decide which code is loaded, under a name no file has. */
const SETTINGS = "package.json (aiwhisperer, exports, imports, type)";

/** What is hashed of a package. */
export type ContentRecord = Pick<PackageRecord, "realDir" | "source" | "module" | "tools">;

/** True where every file of the folder belongs to the package: somebody installed it, and nobody works in it. */
export function isInstalled({ source, realDir }: Pick<ContentRecord, "source" | "realDir">): boolean {
  return source === "package" && realDir.split(path.sep).includes("node_modules");
}

/**
 * Hashes what of a package may run: of an installed one every file; of a folder somebody works in (linked, the project's own, a
 * directory's) the modules, what they name by relative paths, and the settings that decide which code is loaded.
 * @throws UnpinnableContent
 */
export function readContent(record: ContentRecord, fs: DiscoveryFileSystem): FileHashes {
  return isInstalled(record) ? hashFolder(record.realDir, fs) : hashNamed(record, fs);
}

function hashNamed(record: ContentRecord, fs: DiscoveryFileSystem): FileHashes {
  const { realDir: dir } = record;
  const text = readSettings(dir, fs);
  const modules = modulesOf(record).map((module) => path.join(dir, module));
  const content = readTrustedContent({ dir, modules, settings: [{ dir, text }] }, fs);
  if (content === undefined)
    throw new UnpinnableContent("its modules name more files than anybody could look at, or some that cannot be read");
  const files: FileHashes = new Map([[SETTINGS, hashBytes(text)]]);
  for (const [name, hex] of content.hashes) {
    if (path.isAbsolute(name)) throw new UnpinnableContent(`${quote(name)} is on another drive`);
    files.set(name, `sha256-${Buffer.from(hex, "hex").toString("base64")}`);
  }
  const missing = modules.find((module) => !files.has(toName(dir, module, fs)));
  if (missing !== undefined) throw new UnpinnableContent(`${quote(toName(dir, missing, fs))} is not there`);
  return files;
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
  const { aiwhisperer, exports, imports, type } = value;
  return toCanonicalJson({ aiwhisperer, exports, imports, type });
}
