import { existsSync } from "node:fs";
import * as path from "node:path";
import semver from "semver";
import { toShown } from "../../output/to-shown.ts";
import { UsageError } from "../../usage-error.ts";

/** One package as somebody asked for it. */
export interface PackageRequest {
  /** As it was typed, for people. */
  readonly text: string;
  /** Absent where only what is fetched can tell. */
  readonly name?: string;
  /** What the package manager is given; it never begins with `-`. */
  readonly spec: string;
}

/** Where relative paths start, and what may be asked for. */
export interface ParseRequestOptions {
  readonly cwd: string;
  /** Git, addresses, files and other names are taken too. */
  readonly fromAnywhere: boolean;
}

/** Names that npm publishes or once did, without those that look like an option or a path. */
const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;

/** What npm takes for a file, whatever follows it. */
const ARCHIVE = /\.(?:tgz|tar\.gz|tar)$/i;

const MAX_NAME = 214;
const MAX_TEXT = 1000;

/** What publishers call a version: `latest`, `next-11`; no path, address or protocol. */
const TAG = /^[a-z][a-z0-9._-]*$/i;

/**
 * Reads `NAME` or `NAME@RANGE`; without a range it is the version that the publisher calls latest.
 * @throws UsageError for what looks like an option, and for what no registry keeps unless it is allowed.
 */
export function parseRequest(text: string, { cwd, fromAnywhere }: ParseRequestOptions): PackageRequest {
  if (text.startsWith("-")) throw refuse(text, "looks like an option of a package manager");
  if (text === "" || text.length > MAX_TEXT || /[\s\u0000-\u001f\u007f]/u.test(text))
    throw refuse(text, "is no package");
  const at = text.indexOf("@", 1);
  const name = at === -1 ? text : text.slice(0, at);
  const range = at === -1 ? "latest" : text.slice(at + 1);
  if (isPackageName(name) && !ARCHIVE.test(name) && isOfRegistry(range))
    return { text, name, spec: `${name}@${range}` };
  if (fromAnywhere) return fromElsewhere(text, cwd);
  if (isPackageName(name)) throw refuse(text, "names no version of the registry", ELSEWHERE);
  throw refuse(
    text,
    "is no name of a package",
    existsSync(path.resolve(cwd, text)) || /[:/]/.test(text) ? ELSEWHERE : "",
  );
}

/** True for a name that a registry may have and no program takes for anything else. */
export function isPackageName(name: string): boolean {
  return name.length <= MAX_NAME && NAME.test(name) && !name.endsWith("/node_modules") && name !== "node_modules";
}

function isOfRegistry(range: string): boolean {
  return range !== "" && (semver.validRange(range) !== null || TAG.test(range));
}

const ELSEWHERE =
  " Packages come from the registry; to take one from git, an address, a file or under another name: --from-anywhere";

/** A path holds in the folder it was typed in alone, also one after a name. */
function fromElsewhere(text: string, cwd: string): PackageRequest {
  const at = text.indexOf("@", 1);
  if (at !== -1 && isPackageName(text.slice(0, at)))
    return { text, spec: `${text.slice(0, at + 1)}${toSource(text.slice(at + 1), cwd)}` };
  return { text, spec: toSource(text, cwd) };
}

function toSource(text: string, cwd: string): string {
  const plain = text.startsWith("file:") ? text.slice("file:".length) : text;
  const isPath = /^\.{0,2}[/\\]|^\.{1,2}$|^[a-z]:[\\/]/i.test(plain) || (plain !== text && !plain.startsWith("//"));
  return isPath ? `file:${path.resolve(cwd, plain)}` : text;
}

function refuse(text: string, what: string, more = ""): UsageError {
  return new UsageError(
    `${JSON.stringify(toShown(text))} ${what}.${more || " Say NAME or NAME@RANGE, such as @acme/tools@^1.2."}`,
  );
}
