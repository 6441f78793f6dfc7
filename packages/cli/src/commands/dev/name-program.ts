import { existsSync } from "node:fs";
import * as path from "node:path";

/** What a shell is given in place of `aiw`, which is on the PATH of package managers' scripts alone. */
export interface ProgramNames {
  /** Works in every folder; under Plug'n'Play no such thing is there. */
  readonly anywhere?: string;
  /** Works in the package's folder. */
  readonly inPackage?: string;
}

/** This process, as far as it tells how it was started. */
export interface StartedProcess {
  /** The program that runs, absolute. */
  readonly argv: readonly (string | undefined)[];
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/** Names the command that runs so that another shell finds the same one, never another package of the registry. */
export function nameProgram(
  packageDir: string,
  quote: (word: string) => string,
  { argv: [, program], versions }: StartedProcess = process,
): ProgramNames {
  if (versions["pnp"] !== undefined) return { inPackage: "yarn aiw" };
  return {
    ...(program !== undefined && { anywhere: `node ${quote(program)}` }),
    ...(isInstalled(packageDir) && { inPackage: "npx aiw" }),
  };
}

/** Where it is not, npx would ask the registry for a package called aiw, which is none of ours. */
function isInstalled(dir: string): boolean {
  if (existsSync(path.join(dir, "node_modules", ".bin", "aiw"))) return true;
  const parent = path.dirname(dir);
  return parent !== dir && isInstalled(parent);
}
