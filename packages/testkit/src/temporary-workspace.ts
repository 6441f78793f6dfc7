import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { WorkspaceRoots } from "@aiw/core";

/** A folder of its own for one test, gone when the test's scope ends. */
export interface TemporaryWorkspace extends WorkspaceRoots, AsyncDisposable {
  /** The absolute path of a file in the folder. */
  path(relative: string): string;
  write(relative: string, content: string | Uint8Array): Promise<string>;
  read(relative: string): Promise<string>;
}

/** Makes a folder with the files given, folders included; use it with `await using`. */
export async function temporaryWorkspace(
  files: { readonly [path: string]: string | Uint8Array } = {},
): Promise<TemporaryWorkspace> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "aiw-test-")));
  const path = (relative: string): string => join(cwd, relative);
  const write = async (relative: string, content: string | Uint8Array): Promise<string> => {
    await mkdir(dirname(path(relative)), { recursive: true });
    await writeFile(path(relative), content);
    return path(relative);
  };
  for (const [relative, content] of Object.entries(files)) await write(relative, content);
  return {
    cwd,
    roots: [cwd],
    path,
    write,
    read: (relative) => readFile(path(relative), "utf8"),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  };
}
