import { filesystemError } from "../errors.ts";
import type { PatchFiles } from "./patch-files.ts";

/** Where a file moves to. */
export interface Destination {
  readonly path: string;
  readonly realPath: string;
  readonly shown: string;
}

/**
 * Finds out where a file moves to; `undefined` when that is where it is.
 * @throws ToolError `already_exists`, or that of a place that is not written.
 */
export async function findDestination(
  movedTo: string,
  file: { readonly path: string; readonly realPath: string },
  files: PatchFiles,
): Promise<Destination | undefined> {
  await files.assertWritable(movedTo);
  const [realPath, shown] = [await files.realPath(movedTo), files.show(movedTo)];
  if (realPath === file.realPath) return undefined;
  const there = await files.find(movedTo);
  const isCaseOnly = realPath.toLowerCase() === file.realPath.toLowerCase() && there === (await files.find(file.path));
  if (there !== undefined && !isCaseOnly) {
    throw filesystemError(
      "already_exists",
      `The patch moves ${files.show(file.path)} onto a file that exists: ${shown}`,
      {
        suggestion: `Delete it first with "*** Delete File: ${shown}" in the same patch, or move to another name.`,
      },
    );
  }
  return { path: movedTo, realPath, shown };
}
