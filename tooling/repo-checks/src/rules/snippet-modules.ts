import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Repo } from "../repo/repo.ts";
import { readSnippets } from "./snippets.ts";

/** Where a page's module is written so that it can run; packages resolve from the folder. */
export interface SnippetModule {
  readonly page: string;
  /** The name on the first line of the snippet: `// quiet-hours.ts`. */
  readonly name: string;
  readonly folder: string;
}

/** Imports the snippet of a page that has a name, as a reader would who saved it under that name. */
export async function importSnippet(repo: Repo, { page, name, folder }: SnippetModule): Promise<unknown> {
  const snippet = readSnippets(page, repo.read(page) ?? "").find(
    ({ language, text }) => language === "ts" && text.startsWith(`// ${name}\n`),
  );
  if (snippet === undefined) throw new TypeError(`${page} has no snippet that begins with // ${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, snippet.text);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}
