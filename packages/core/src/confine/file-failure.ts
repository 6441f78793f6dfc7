import { countEdits } from "../errors/count-edits.ts";
import { ToolError } from "../errors/tool-error.ts";
import type { CoreErrorCode } from "../errors/error-codes.ts";
import type { HeldEntry } from "./held-entry.ts";
import { foldName, splitPath } from "./resolve-path.ts";
import type { FoundPath, WalkRequest, WorkspaceAccess } from "./walk-path.ts";

interface DiskError {
  readonly code: CoreErrorCode;
  readonly says: string;
}

const DISK_ERRORS: ReadonlyMap<string, DiskError> = new Map<string, DiskError>([
  ["ENOENT", { code: "not_found", says: "File not found" }],
  ["EEXIST", { code: "already_exists", says: "Already exists" }],
  ["ENOTDIR", { code: "not_a_directory", says: "A parent is not a directory" }],
  ["EISDIR", { code: "not_a_file", says: "Is a directory" }],
  ["ENOTEMPTY", { code: "not_a_file", says: "The directory is not empty" }],
  ["EACCES", { code: "permission_denied", says: "Permission denied" }],
  ["EPERM", { code: "permission_denied", says: "Operation not permitted" }],
  ["EROFS", { code: "permission_denied", says: "The file system is read-only" }],
  ["EBUSY", { code: "permission_denied", says: "In use or mounted" }],
  ["ENXIO", { code: "not_regular_file", says: "Not a regular file" }],
  ["ENODEV", { code: "not_regular_file", says: "Not a regular file" }],
  ["ELOOP", { code: "path_changed", says: "Exchanged for a symbolic link while in use" }],
  ["ENAMETOOLONG", { code: "invalid_path", says: "A name is too long" }],
  ["EILSEQ", { code: "invalid_path", says: "The file system does not accept the name" }],
  ["EINVAL", { code: "invalid_path", says: "The file system does not accept the operation" }],
  ["EFBIG", { code: "too_large", says: "Larger than the file system allows" }],
  ["ENOSPC", { code: "no_space", says: "No space left on the device" }],
  ["EDQUOT", { code: "no_space", says: "Disk quota exceeded" }],
]);

/** The operating system's name of a failure, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Turns a failure of the disk into what a model may see; it names no path but `shown`. */
export function toFileFailure(error: unknown, shown: string): unknown {
  if (ToolError.is(error)) return error;
  const errno = errnoOf(error);
  if (errno === undefined || !(error instanceof Error && "syscall" in error)) return error;
  const known = DISK_ERRORS.get(errno) ?? { code: "io_error", says: "The disk failed" };
  return new ToolError(known.code, `${known.says}: ${shown}`, { cause: error, details: { errno } });
}

const MOST_NAMES = 1000;
const MOST_NEAREST = 3;

/** A `not_found` that names the nearest existing entries beside the missing one, unless `suggests` is `false`. */
export async function toNotFound(
  access: WorkspaceAccess,
  found: FoundPath,
  { shown, suggests = true }: Pick<WalkRequest, "shown" | "suggests">,
): Promise<ToolError> {
  const names = found.directory === undefined || !suggests ? [] : await namesIn(access, found.directory);
  const parent = found.directory?.realPath ?? "";
  const nearest = nearestEntries(found.name, names).map((name) =>
    access.display(`${parent === "/" ? "" : parent}/${name}`),
  );
  const first = nearest[0];
  const suggestion =
    first === undefined ? undefined : `Nearest: ${nearest.map((path) => JSON.stringify(path)).join(", ")}.`;
  const isOnTheWay = found.rest.length > 0;
  const missing = isOnTheWay ? ` (there is no ${JSON.stringify(found.name)} on the way)` : "";
  const details = { ...(first !== undefined && { nearest }), ...(isOnTheWay && { missing_folder: found.name }) };
  return new ToolError("not_found", `File not found: ${shown}${missing}`, {
    ...(Object.keys(details).length > 0 && { details }),
    ...(suggestion !== undefined && { suggestion }),
  });
}

/** The few names most like `wanted`, best first; none that merely share a letter. */
export function nearestEntries(wanted: string, names: readonly string[]): string[] {
  const target = foldName(wanted);
  const ranked = names.flatMap((name) => {
    const folded = foldName(name);
    const within = Math.max(2, Math.floor(Math.max(target.length, folded.length) / 3));
    const edits = countEdits(target, folded, within);
    const sharesStem = target.length > 2 && stemOf(folded) === stemOf(target);
    const distance = sharesStem ? Math.min(edits, 1) : edits;
    return distance > within || distance >= target.length ? [] : [{ name, distance }];
  });
  ranked.sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1));
  return ranked.slice(0, MOST_NEAREST).map(({ name }) => name);
}

async function namesIn(access: WorkspaceAccess, directory: HeldEntry): Promise<string[]> {
  const names: string[] = [];
  const above = splitPath(directory.realPath, access.platform);
  try {
    await directory.confirm();
    for await (const { name } of await access.fs.opendir(directory.reach)) {
      if (access.rules.refusal([...above, name], "read") !== undefined) continue;
      if (names.push(name) >= MOST_NAMES) break;
    }
    await directory.confirm();
    return names;
  } catch {
    return [];
  }
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
