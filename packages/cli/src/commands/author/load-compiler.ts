import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { AiwError } from "@aiw/core";
import type * as compilerModule from "@aiw/compiler";
import { inspectLayout, type ProjectLayout } from "@aiw/core/node";

/** What the package of that name exports. */
export type CompilerModule = Pick<typeof compilerModule, "createCompiler" | "formatDiagnostic">;

const NAME = "@aiw/compiler";

/**
 * Loads the compiler that a package brings, else the one beside this command; undefined where neither is there.
 * @throws AiwError `compiler_unavailable` when what is there cannot be used.
 */
export async function loadCompiler(dir: string): Promise<CompilerModule | undefined> {
  const file = [path.join(dir, "package.json"), ...ownPlace()].map(resolveFrom).find((found) => found !== undefined);
  if (file === undefined) return undefined;
  const why = await importCompiler(file);
  if (typeof why === "object") return why;
  throw new AiwError("compiler_unavailable", `${NAME} in ${file} cannot be used: ${why}`, {
    fix: `Install the version of ${NAME} that belongs to this command: ${await installCommand(dir)}`,
  });
}

/** The command that installs the compiler, as whoever works on the package types it. */
export async function installCommand(dir: string): Promise<string> {
  const { manager } = await inspectLayout(dir).catch((): Pick<ProjectLayout, "manager"> => ({ manager: "npm" }));
  return manager === "npm" ? `npm install --save-dev ${NAME}` : `${manager} add -D ${NAME}`;
}

/** The bundled command is one file, so where it lies is what was started. */
function ownPlace(): string[] {
  const [, started] = process.argv;
  try {
    return started === undefined ? [] : [realpathSync(started)];
  } catch {
    return [];
  }
}

function resolveFrom(file: string): string | undefined {
  try {
    return createRequire(file).resolve(NAME);
  } catch {
    return undefined;
  }
}

async function importCompiler(file: string): Promise<CompilerModule | string> {
  try {
    const loaded = (await import(pathToFileURL(file).href)) as Partial<CompilerModule>;
    const { createCompiler, formatDiagnostic } = loaded;
    if (typeof createCompiler === "function" && typeof formatDiagnostic === "function")
      return { createCompiler, formatDiagnostic };
    return "it is another version.";
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
