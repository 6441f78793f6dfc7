import { existsSync } from "node:fs";
import * as path from "node:path";
import { AiwError, type CompiledTool } from "@aiw/core";
import type { Diagnostic } from "@aiw/compiler";
import { oneLine } from "../../../output/one-line.ts";
import { findNewerSource } from "../check-freshness.ts";
import { installCommand } from "../load-compiler.ts";
import type { AuthorPackage } from "../read-author-package.ts";
import { buildCommand } from "../run-script.ts";

/** @throws AiwError `build_outdated` */
export function assertBuilt(author: AuthorPackage): void {
  if (existsSync(path.join(author.dir, author.module))) return;
  throw new AiwError("build_outdated", `${oneLine(author.name)} has no ${oneLine(author.module)} yet.`, {
    fix: `Run your compiler first: ${buildCommand(author)}. Where the built module is another: aiw build --module FILE`,
  });
}

/** Packages that name it mean to use it. */
export function wantsCompiler({ packageJson }: AuthorPackage): boolean {
  return ["dependencies", "devDependencies", "peerDependencies"].some((field) => {
    const named = packageJson[field];
    return typeof named === "object" && named !== null && Object.hasOwn(named, "@aiw/compiler");
  });
}

/** The command is one of the author's package manager. */
export async function toUnavailable({ dir }: AuthorPackage, functions: readonly string[]): Promise<AiwError> {
  const what = functions.slice(0, 3).map(oneLine).join(", ");
  return new AiwError(
    "compiler_unavailable",
    `To make tools of functions (${what}) takes @aiw/compiler, which is not installed.`,
    { fix: `${await installCommand(dir)}. Or write them with defineTool, which needs no compiler.` },
  );
}

/** @throws AiwError `manifest_not_writable` */
export function assertCompiled({ source = "" }: AuthorPackage, diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const count = errors.length === 1 ? "One error" : `${errors.length} errors`;
  throw new AiwError("manifest_not_writable", `${count} in what ${oneLine(source)} exports.`, {
    fix: "Correct what is named above, or stop exporting it.",
    details: { diagnostics },
  });
}

/** What the compiler read and made, and what the built module has. */
export interface Freshness {
  readonly files: readonly string[];
  readonly exports: readonly string[];
  readonly added: readonly CompiledTool[];
}

/**
 * A definition made of the source must be kept by the module that is packed.
 * @throws AiwError `build_outdated`
 */
export function assertFresh(author: AuthorPackage, { files, exports, added }: Freshness): void {
  const fix = `Run your compiler first: ${buildCommand(author)}`;
  const lacking = added.find((tool) => !exports.includes(tool.export));
  if (lacking !== undefined)
    throw new AiwError(
      "build_outdated",
      `${oneLine(author.source ?? "")} exports ${oneLine(lacking.export)}, and ${oneLine(author.module)} does not.`,
      { fix },
    );
  if (author.source === author.module) return;
  const newer = findNewerSource(author, files);
  if (newer === undefined) return;
  const where = oneLine(path.relative(author.dir, newer));
  throw new AiwError("build_outdated", `${where} was changed after ${oneLine(author.module)} was built.`, {
    fix: `${fix} (delete its output before if it writes nothing)`,
  });
}

/**
 * The names a map declares are what its users call: none may get lost on the way to a manifest.
 * @throws AiwError `manifest_not_writable`
 */
export function assertMapped({ declared, module }: AuthorPackage, tools: readonly { readonly name: string }[]): void {
  if (declared.form !== "map") return;
  const lost = declared.names.filter((name) => !tools.some((tool) => tool.name === name));
  if (lost.length === 0) return;
  throw new AiwError(
    "manifest_not_writable",
    `package.json names ${lost.map(oneLine).join(", ")}, which ${oneLine(module)} does not export.`,
    { fix: `Export every tool from one module, and name it: aiw build --module ${module}` },
  );
}
