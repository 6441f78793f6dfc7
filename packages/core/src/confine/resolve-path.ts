import { posix, win32 } from "node:path";
import { ToolError } from "../errors/tool-error.ts";

/** What a path is resolved against; the platform decides separators and forbidden characters. */
export interface PathRules {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

const LONGEST_PATH = 4096;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/**
 * Makes a path absolute by its text alone: `~` is the home folder, everything else counts from `cwd`.
 * @throws ToolError `invalid_path` when it is empty, too long, holds NUL, or names a Windows device or stream.
 */
export function resolvePath(path: string, rules: PathRules): string {
  if (path === "")
    throw new ToolError("invalid_path", "The path is empty.", { suggestion: 'Use "." for the working directory.' });
  if (path.includes("\0"))
    throw new ToolError("invalid_path", `The path holds a NUL character: ${JSON.stringify(path.slice(0, 200))}`);
  if (path.length > LONGEST_PATH) {
    throw new ToolError("invalid_path", `The path has ${path.length} characters; at most ${LONGEST_PATH} are allowed.`);
  }
  const flavour = pathFlavour(rules.platform);
  const home = path === "~" || path.startsWith("~/") || (flavour === win32 && path.startsWith("~\\"));
  const resolved = home
    ? flavour.resolve(rules.home, `.${flavour.sep}${path.slice(2)}`)
    : flavour.resolve(rules.cwd, path);
  if (flavour === win32) refuseWindowsNames(path, resolved);
  return resolved;
}

/** Shows an absolute path as people write it: from `cwd` with `/` when inside it, else whole. */
export function displayPath(path: string, bases: readonly string[], platform: NodeJS.Platform): string {
  for (const base of bases) {
    const below = pathBelow(splitPath(base, platform), splitPath(path, platform), platform);
    if (below !== undefined) return below.length === 0 ? "." : below.join("/");
  }
  return platform === "win32" ? path.replaceAll("\\", "/") : path;
}

/** Splits an absolute path into names; on Windows the volume is the first, `.` and empty names are dropped, `..` stays. */
export function splitPath(path: string, platform: NodeJS.Platform): string[] {
  if (platform !== "win32") return path.split("/").filter(isName);
  const { root } = win32.parse(path);
  const volume = root.replaceAll("/", "\\").replace(/\\+$/u, "");
  return [volume, ...path.slice(root.length).split(/[\\/]/u).filter(isName)];
}

/** Joins names that `splitPath` gave into an absolute path. */
export function joinNames(names: readonly string[], platform: NodeJS.Platform): string {
  if (platform !== "win32") return `/${names.join("/")}`;
  return names.length === 1 ? `${names[0]}\\` : names.join("\\");
}

/** Gives the names of `path` below `base`, compared name by name (SEC-FS-1), or `undefined` when it is not inside. */
export function pathBelow(
  base: readonly string[],
  path: readonly string[],
  platform: NodeJS.Platform,
): string[] | undefined {
  if (path.length < base.length) return undefined;
  const inside = base.every((name, index) => sameName(name, path[index], platform));
  return inside ? path.slice(base.length) : undefined;
}

/** The path functions of a platform. */
export function pathFlavour(platform: NodeJS.Platform): typeof posix {
  return platform === "win32" ? win32 : posix;
}

function sameName(left: string, right: string | undefined, platform: NodeJS.Platform): boolean {
  if (left === right) return true;
  const blindToCase = platform === "win32" || platform === "darwin";
  return blindToCase && right !== undefined && foldName(left) === foldName(right);
}

/** One spelling for all that a case-blind volume takes for the same name. */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function isName(name: string): boolean {
  return name !== "" && name !== ".";
}

function refuseWindowsNames(path: string, resolved: string): void {
  const names = splitPath(resolved, "win32").slice(1);
  const device = resolved.startsWith("\\\\.\\") || resolved.startsWith("\\\\?\\");
  if (device || names.some((name) => name.includes(":") || /[. ]$/u.test(name) || WINDOWS_DEVICE.test(name))) {
    throw new ToolError("invalid_path", `Not a name Windows keeps as written: ${path}`);
  }
}
