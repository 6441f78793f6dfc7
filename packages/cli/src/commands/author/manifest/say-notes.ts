import * as path from "node:path";
import { oneLine } from "../../../output/one-line.ts";
import { findNewerSource } from "../check-freshness.ts";
import { installCommand, type CompilerModule } from "../load-compiler.ts";
import type { AuthorPackage } from "../read-author-package.ts";
import { buildCommand } from "../run-script.ts";

/** Whoever loads the module gets to read it. */
export function sayPrinted({ module }: AuthorPackage, printed: string): string[] {
  if (printed.trim() === "") return [];
  const [first = ""] = printed.trim().split("\n");
  return [`${oneLine(module)} prints when it is loaded, to whoever loads it: ${oneLine(first).slice(0, 200)}`];
}

/** Someone who writes TypeScript may have meant a tool. */
export async function sayUncompiled(
  { dir, source = "" }: AuthorPackage,
  functions: readonly string[],
  compiler: CompilerModule | undefined,
): Promise<string[]> {
  if (compiler !== undefined || functions.length === 0 || !/\.[cm]?tsx?$/.test(source)) return [];
  const what = functions.slice(0, 3).map(oneLine).join(", ");
  return [`No tool was made of ${what}: functions become tools with @aiw/compiler (${await installCommand(dir)}).`];
}

/** A manifest that the code itself tells is true to what is packed, which may not be what the author wrote last. */
export function sayOutdated(author: AuthorPackage): string[] {
  const newer = findNewerSource(author);
  if (newer === undefined) return [];
  const what = `${oneLine(path.relative(author.dir, newer))} was changed after ${oneLine(author.module)} was built`;
  return [`${what}, so the manifest is of the former code; run: ${buildCommand(author)}`];
}
