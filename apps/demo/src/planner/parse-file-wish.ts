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

const findVerb = /^(?:find|list|show|which|what|locate|glob|search|get|where|how many|count|look)\b/i;

function asFindFiles(clause: Clause): Intent | undefined {
  if (!findVerb.test(clause.masked)) return undefined;
  const folder = folderOf(clause);
  const patterns = patternsOf(clause, folder);
  if (patterns.length === 0) return undefined;
  return { kind: "find_files", clause, patterns, ...(folder === undefined ? {} : { path: folder }) };
}

function folderOf({ masked, literals }: Clause): string | undefined {
  const word = /\b(?:in|under|within|inside) (?:the )?([\uE000-\uF8FF]|[\w.-]+)/iu.exec(masked)?.[1];
  const folder = word === undefined ? undefined : unmask(word, literals);
  if (folder === undefined || folder.includes("*")) return undefined;
  return /^(?:this|it|all|here|repo\w*|project)$/i.test(folder) ? undefined : folder;
}

/** Patterns as they are written, else made from a language, a name or a path. */
function patternsOf(clause: Clause, folder: string | undefined): string[] {
  const { masked, literals } = clause;
  const globs = pathTexts(clause).filter((text) => text.includes("*"));
  if (globs.length > 0) return globs;
  const language = /\b(\w+) files?\b/i.exec(masked)?.[1]?.toLowerCase() ?? "";
  const extension = extensions.get(language);
  if (extension !== undefined) return [`**/*.${extension}`];
  const named = /\b(?:called|named)\s+(\S+)$/iu.exec(masked)?.[1];
  if (named !== undefined) return [`**/${unmask(named, literals)}`];
  const single = pathTexts(clause)[0];
  if (!/^(?:find|locate|glob)\b/i.test(masked) || single === undefined || single === folder) return [];
  return [single.includes("/") ? single : `**/${single}`];
}

function asList(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  const bare = /^(?:list|ls)(?: ([\w-]+|[\uE000-\uF8FF]))?$/iu.exec(masked);
  const lists = /^(?:list|ls)\b/i.test(masked);
  const inside =
    /\b(?:files?|folders?|director(?:y|ies)|contents?)\b/i.test(masked) ||
    (lists && /\b(?:here|repo\w*|project)\b/i.test(masked));
  const listing = lists || (inside && /^(?:show|see|what|which|view|display|look)\b/i.test(masked));
  if (!listing || /\btools\b/i.test(masked)) return undefined;
  const word = /\b(?:in|of|under|inside) (?:the )?([a-z][\w.-]*)/i.exec(masked)?.[1];
  const folder =
    word === undefined || /^(?:this|it|here|current|repo\w*|project|folder|directory|root)$/i.test(word)
      ? undefined
      : word;
  const path = pathTexts(clause)[0] ?? folder;
  if (path !== undefined) return { kind: "list", clause, path };
  if (inside) return { kind: "list", clause, path: "." };
  return bare === null ? undefined : { kind: "list", clause, path: unmask(bare[1] ?? ".", literals) };
}

function asRead(clause: Clause): Intent | undefined {
  const { masked } = clause;
  const reads =
    /^(?:read|show|open|view|cat|display|print|look at|look in(?:to|side)?|see|check|inspect|load|get|summari[sz]e|explain|describe|tell|what|find|count)\b/i.test(
      masked,
    );
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
