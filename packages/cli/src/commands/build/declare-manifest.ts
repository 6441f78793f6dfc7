import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { isRecord } from "../author/declared-tools.ts";
import { findBuiltModule } from "../author/find-built-module.ts";
import type { AuthorPackage } from "../author/read-author-package.ts";
import { replaceFile } from "./manifest-file.ts";

/** What package.json has to say so that the manifest is packed and found. */
export interface DeclarationAdvice {
  /** Edits that `--write` makes, in words. */
  readonly edits: readonly string[];
  /** What is left to the author. */
  readonly remarks: readonly string[];
}

/** Compares package.json with what a package of a static manifest needs. */
export function adviseDeclaration(author: AuthorPackage): DeclarationAdvice {
  const { declared, manifestPath, packageJson, module } = author;
  const edits = [
    ...(declared.form === "manifest" ? [] : [`"aiwhisperer": ${JSON.stringify(toDeclaration(author))}`]),
    ...(isPacked(packageJson["files"], manifestPath) ? [] : [`${JSON.stringify(manifestPath.slice(2))} in "files"`]),
  ];
  const later = findBuiltModule(packageJson, { form: "manifest", path: manifestPath });
  return {
    edits,
    remarks:
      declared.form !== "manifest" && later !== module
        ? [`Then nothing names ${module} any more: build with --module ${module}, or name it in "exports".`]
        : [],
  };
}

/** Makes the edits in package.json, in its own indentation; true when it is another file now. */
export async function declareManifest(author: AuthorPackage): Promise<boolean> {
  const file = path.join(author.dir, "package.json");
  const text = await readFile(file, "utf8");
  const packageJson = { ...(JSON.parse(text.replace(/^\uFEFF/, "")) as Record<string, unknown>) };
  if (author.declared.form !== "manifest") packageJson["aiwhisperer"] = toDeclaration(author);
  const files = packageJson["files"];
  if (Array.isArray(files) && !isPacked(files, author.manifestPath))
    packageJson["files"] = [...(files as unknown[]), author.manifestPath.slice(2)];
  const indent = /^[\t ]+(?=")/m.exec(text)?.[0] ?? "  ";
  return replaceFile(file, `${JSON.stringify(packageJson, undefined, indent)}${text.endsWith("\n") ? "\n" : ""}`);
}

/** Other keys of the declaration are the author's. */
function toDeclaration({ packageJson, manifestPath }: AuthorPackage): Record<string, unknown> {
  const declaration = packageJson["aiwhisperer"];
  return { apiVersion: 1, ...(isRecord(declaration) && declaration), tools: manifestPath };
}

/** Without a list everything is packed; a pattern may cover it, which is not for us to judge. */
function isPacked(files: unknown, manifestPath: string): boolean {
  if (!Array.isArray(files)) return true;
  const wanted = manifestPath.slice(2);
  return (files as unknown[]).some((entry) => {
    if (typeof entry !== "string") return false;
    const written = entry.replace(/^\.?\//, "").replace(/\/+$/, "");
    return written === wanted || wanted.startsWith(`${written}/`) || /[*?{[]/.test(entry);
  });
}
