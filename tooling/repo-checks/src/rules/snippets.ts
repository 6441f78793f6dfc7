import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { judgeCommand } from "./commands.ts";

/** A fenced piece of a page. */
export interface Snippet {
  readonly page: string;
  /** Of the first line inside the fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** Pages that readers copy from. */
const PAGES = /^(?:[A-Z]+\.md|docs\/.*\.md|(?:packages|plugins|apps|examples)\/[^/]+\/README\.md)$/u;

/** Every fenced piece of every page. */
export function findSnippets(repo: Repo): Snippet[] {
  return repo.files.filter((file) => PAGES.test(file)).flatMap((page) => readSnippets(page, repo.read(page) ?? ""));
}

/** The fenced pieces of one page; indented fences count, as in lists. */
export function readSnippets(page: string, text: string): Snippet[] {
  const snippets: Snippet[] = [];
  let open: { fence: string; language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^\s*(?<fence>`{3,}|~{3,})(?<language>[\w-]*)/u.exec(line)?.groups;
    if (open === undefined) {
      if (fence === undefined) continue;
      open = { fence: fence["fence"] ?? "", language: fence["language"] ?? "", line: index + 2, lines: [] };
    } else if (line.trim() === open.fence) {
      snippets.push({ page, line: open.line, language: open.language, text: `${open.lines.join("\n")}\n` });
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  return snippets;
}

/** Finds commands in shell snippets that nothing answers to, and JSON that does not parse. */
export function checkPlainSnippets(repo: Repo): Finding[] {
  return findSnippets(repo).flatMap((snippet) => {
    const at = `${snippet.page}:${snippet.line}`;
    if (snippet.language === "sh") {
      const commands = snippet.text.split("\n").map((line) => line.trim().replace(/^\$ /u, ""));
      return commands.flatMap((command) => judgeCommand(repo, at, command));
    }
    return snippet.language === "json" && !parses(snippet.text)
      ? [{ file: at, rule: "JSON snippets parse", repair: "Correct it, or mark the fence jsonc if it has comments." }]
      : [];
  });
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where snippets are written to be compiled, and with which packages in reach. */
export interface SnippetProject {
  /** Emptied first; packages resolve from here. */
  readonly folder: string;
  /** The tsconfig that the snippets' own extends. */
  readonly baseConfig: string;
  readonly compiler: string;
}

/** Compiles all TypeScript snippets as modules of a strict project that has our packages installed. */
export async function checkTypeScriptSnippets(
  snippets: readonly Snippet[],
  project: SnippetProject,
): Promise<Finding[]> {
  const written = writeSnippets(snippets, project);
  if (written.size === 0) return [];
  const output = await compile(project);
  return output.split("\n").flatMap((line) => {
    const match = /^(?:(?<file>[^\s(][^(]*)\((?<line>\d+),\d+\): )?error (?<message>.*)$/u.exec(line)?.groups;
    if (match === undefined) return [];
    const file = match["file"] === undefined ? project.folder : path.resolve(project.folder, match["file"]);
    const snippet = written.get(file);
    // A mistake in a source file is for the type check to tell.
    if (snippet === undefined && !file.startsWith(project.folder)) return [];
    const place = snippet === undefined ? file : `${snippet.page}:${snippet.line + Number(match["line"]) - 1}`;
    return [{ file: place, rule: "TypeScript snippets compile", repair: match["message"] ?? "" }];
  });
}

function writeSnippets(snippets: readonly Snippet[], { folder, baseConfig }: SnippetProject): Map<string, Snippet> {
  rmSync(folder, { recursive: true, force: true });
  const written = new Map<string, Snippet>();
  for (const snippet of snippets.filter(({ language }) => language === "ts")) {
    const name = /^\/\/ (?<name>[\w./-]+\.ts)\s*$/mu.exec(snippet.text.split("\n")[0] ?? "")?.groups?.["name"];
    const file = path.join(folder, snippet.page.replaceAll("/", "__"), name ?? `line-${snippet.line}.ts`);
    const isModule = parseSync(file, snippet.text).module.hasModuleSyntax;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, isModule ? snippet.text : `${snippet.text}export {};\n`);
    written.set(file, snippet);
  }
  const compilerOptions = {
    composite: false,
    isolatedDeclarations: false,
    noEmit: true,
    incremental: false,
    tsBuildInfoFile: null,
    rootDir: null,
    declarationMap: false,
  };
  const config = {
    extends: path.relative(folder, baseConfig),
    compilerOptions,
    files: [...written.keys()],
    include: [],
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  return written;
}

function compile({ folder, compiler }: SnippetProject): Promise<string> {
  return new Promise((resolve) => {
    execFile(compiler, ["-p", folder, "--pretty", "false"], { cwd: folder }, (error, stdout, stderr) => {
      resolve(error === null ? "" : stdout + stderr || `${error.message}\n`);
    });
  });
}
