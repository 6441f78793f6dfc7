import { builtinModules } from "node:module";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Repo } from "./repo.ts";

/** One mention of another module. */
export interface Import {
  readonly specifier: string;
  /** `static` also covers re-exports; `type` is written in a type position. */
  readonly kind: "static" | "dynamic" | "type";
}

/** Reads every import, re-export, dynamic import and import type of a source text. */
export function readImports(file: string, text: string): Import[] {
  const { program, module } = parseSync(file, text);
  const imports: Import[] = [];
  for (const { moduleRequest } of module.staticImports)
    imports.push({ specifier: moduleRequest.value, kind: "static" });
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) {
      if (moduleRequest !== null) imports.push({ specifier: moduleRequest.value, kind: "static" });
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = /^["'`](?<name>[^"'`$]+)["'`]$/u.exec(text.slice(moduleRequest.start, moduleRequest.end))
      ?.groups?.["name"];
    if (specifier !== undefined) imports.push({ specifier, kind: "dynamic" });
  }
  new Visitor({
    TSImportType(node) {
      imports.push({ specifier: node.source.value, kind: "type" });
    },
  }).visit(program);
  return imports;
}

/** The files of the repository that a file imports by relative path, without repeats. */
export function localImports(repo: Repo, file: string): string[] {
  const targets = readImports(file, repo.read(file) ?? "")
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => path.posix.join(path.posix.dirname(file), specifier));
  return [...new Set(targets)];
}

/** Whether a specifier names a module of Node itself. */
export function isNodeBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}
