import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";
import type { Environment, ProjectLayout } from "@aiw/core/node";

/** A program, and the arguments that stand before any other. */
export interface Program {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
}

/** Finds a package manager: one that started this process, else one on the PATH, else the npm that came with Node. */
export async function findProgram(
  name: ProjectLayout["manager"],
  environment: Environment,
): Promise<Program | undefined> {
  const running = environment["npm_execpath"];
  const isRunning = running !== undefined && path.isAbsolute(running) && isOf(name, path.basename(running));
  // On Windows programs that are scripts need a shell, which takes arguments apart.
  const folders = process.platform === "win32" ? [] : (environment["PATH"] ?? "").split(path.delimiter);
  const beside = path.dirname(process.execPath);
  const candidates = [
    ...(isRunning ? [running] : []),
    ...folders.filter((folder) => path.isAbsolute(folder)).map((folder) => path.join(folder, name)),
    ...(name === "npm"
      ? [
          path.join(beside, "node_modules/npm/bin/npm-cli.js"),
          path.join(beside, "../lib/node_modules/npm/bin/npm-cli.js"),
        ]
      : []),
  ];
  for (const file of candidates) {
    const isScript = /\.[cm]?js$/.test(file);
    if (await isReadable(file, isScript ? constants.R_OK : constants.X_OK))
      // Node alone reads a script everywhere; a file without an ending begins with the line that says who does.
      return isScript ? { file: process.execPath, args: [file] } : { file, args: [] };
  }
  return undefined;
}

/** `npm-cli.js`, `pnpm.cjs`, `yarn-4.9.0.cjs`, `bun`; `npx-cli.js` is none. */
function isOf(name: string, file: string): boolean {
  return new RegExp(`^${name}(?:-cli|-[0-9][\\w.-]*)?(?:\\.[cm]?js|\\.exe)?$`, "i").test(file);
}

function isReadable(file: string, mode: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}
