import type { Intent } from "./intent.ts";
import { looksLikePath, unmask } from "./split-clauses.ts";
import type { Clause } from "./split-clauses.ts";

const wellKnownFiles: ReadonlyMap<string, string> = new Map([
  ["readme", "README.md"],
  ["license", "LICENSE"],
  ["licence", "LICENSE"],
  ["changelog", "CHANGELOG.md"],
  ["manifest", "package.json"],
]);

const extensions: ReadonlyMap<string, string> = new Map([
  ["typescript", "ts"],
  ["javascript", "js"],
  ["markdown", "md"],
  ["json", "json"],
  ["yaml", "yaml"],
  ["python", "py"],
  ["html", "html"],
  ["css", "css"],
  ["text", "txt"],
  ["rust", "rs"],
  ["go", "go"],
  ["test", "test.*"],
]);

/** Understands wishes about files: finding them, listing a folder, reading some. */
export function parseFileWish(clause: Clause): Intent | undefined {
  return asFindFiles(clause) ?? asList(clause) ?? asRead(clause);
}

function asFindFiles(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  const globs = pathTexts(clause).filter((text) => text.includes("*"));
  const named = /\b(?:called|named)\s+(\S+)$/iu.exec(masked)?.[1];
  if (!/^(?:find|list|show|which|what|locate|glob|search|get|where|how many|count|look)\b/i.test(masked)) return undefined;
  const folder = /\b(?:in|under|within|inside) (?:the )?([\uE000-\uF8FF]|[\w.-]+)/iu.exec(masked)?.[1];
  const folderText = folder === undefined ? undefined : unmask(folder, literals);
  const path = folderText === undefined || /^(?:this|it|all|here|repo\w*|project)$/i.test(folderText) || folderText.includes("*") ? {} : { path: folderText };
  if (globs.length > 0) return { kind: "find_files", clause, patterns: globs, ...path };
  const language = /\b(\w+) files?\b/i.exec(masked)?.[1]?.toLowerCase() ?? "";
  const extension = extensions.get(language);
  if (extension !== undefined) return { kind: "find_files", clause, patterns: [`**/*.${extension}`], ...path };
  if (named !== undefined) return { kind: "find_files", clause, patterns: [`**/${unmask(named, literals)}`], ...path };
  const single = pathTexts(clause)[0];
  if (/^(?:find|locate|glob)\b/i.test(masked) && single !== undefined && single !== folderText) {
    return { kind: "find_files", clause, patterns: [single.includes("/") ? single : `**/${single}`], ...path };
  }
  return undefined;
}

function asList(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  const listing = /^(?:list|ls)\b/i.test(masked) || (/^(?:show|see|what|which|view|display|look)\b/i.test(masked) && /\b(?:files|folders?|director(?:y|ies)|contents?)\b/i.test(masked));
  if (!listing || /\btools\b/i.test(masked)) return undefined;
  const literal = pathTexts(clause)[0];
  const word = /\b(?:in|of|under|inside) (?:the )?([a-z][\w.-]*)/i.exec(masked)?.[1];
  const ordinary = word === undefined || /^(?:this|it|here|current|repo\w*|project|folder|directory|root)$/i.test(word);
  if (literal === undefined && ordinary && !/\b(?:files?|folders?|director(?:y|ies)|contents?|here|repo\w*|project)\b/i.test(masked)) {
    const bare = /^(?:list|ls)(?: ([\w-]+|[\uE000-\uF8FF]))?$/iu.exec(masked);
    if (bare === null) return undefined;
    return { kind: "list", clause, path: unmask(bare[1] ?? ".", literals) };
  }
  return { kind: "list", clause, path: literal ?? (ordinary ? "." : word) };
}

function asRead(clause: Clause): Intent | undefined {
  const { masked } = clause;
  const reads = /^(?:read|show|open|view|cat|display|print|look at|look in(?:to|side)?|see|check|inspect|load|get|summari[sz]e|explain|describe|tell|what|find|count)\b/i.test(masked);
  if (!reads) return undefined;
  const paths = pathTexts(clause).filter((path) => !path.includes("*"));
  if (paths.length > 0) return { kind: "read", clause, paths: [...new Set(paths)].slice(0, 20) };
  const known = /\b(readme|licen[sc]e|changelog|manifest)\b/i.exec(masked)?.[1]?.toLowerCase();
  const file = known === undefined ? undefined : wellKnownFiles.get(known);
  return file === undefined ? undefined : { kind: "read", clause, paths: [file] };
}

function pathTexts({ literals }: Clause): string[] {
  return literals
    .filter(({ kind, text }) => kind === "path" || (kind !== "url" && looksLikePath(text)))
    .map(({ text }) => text);
}
