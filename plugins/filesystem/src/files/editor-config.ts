import { basename, dirname, join } from "node:path";
import { ToolError } from "@aiw/core";
import { hasFolders, matchPath, type Workspace } from "@aiw/core/node";
import { parseGlob } from "../search/parse-glob.ts";

const MOST_BYTES = 64 * 1024;
const MOST_LEVELS = 64;
const LONGEST_PATTERN = 512;

/** Tells which line ending the project's `.editorconfig` files want for a new file; `undefined` when they say nothing. */
export async function findWantedEnding(workspace: Workspace, path: string): Promise<"lf" | "crlf" | undefined> {
  const names = [basename(path)];
  for (let folder = dirname(path); names.length < MOST_LEVELS; folder = dirname(folder)) {
    const text = await readConfig(workspace, join(folder, ".editorconfig"));
    if (text === undefined) return undefined;
    const config = parseConfig(text);
    const ending = config.sections.findLast((section) => isMeant(section.pattern, names))?.ending;
    if (ending !== undefined) return ending === "lf" || ending === "crlf" ? ending : undefined;
    if (config.isRoot || folder === dirname(folder)) return undefined;
    names.unshift(basename(folder));
  }
  return undefined;
}

/** Gives the text of a file that may be missing; `undefined` above the workspace. */
async function readConfig(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await workspace.readFile(path, { maxBytes: MOST_BYTES });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return error.code === "outside_root" ? undefined : "";
  }
}

interface Config {
  readonly isRoot: boolean;
  /** Only those that say something of line endings, in lowercase. */
  readonly sections: readonly { readonly pattern: string; readonly ending: string }[];
}

function parseConfig(text: string): Config {
  const sections: { pattern: string; ending: string }[] = [];
  let pattern: string | undefined;
  let isRoot = false;
  for (const line of text.split(/\r?\n/u)) {
    const section = /^\s*\[(.+)\]\s*(?:[#;].*)?$/u.exec(line);
    if (section !== null) {
      pattern = section[1];
      continue;
    }
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*[=:]\s*([\w-]+)\s*(?:[#;].*)?$/u.exec(line) ?? [];
    if (pattern === undefined) isRoot ||= key.toLowerCase() === "root" && value.toLowerCase() === "true";
    else if (key.toLowerCase() === "end_of_line") sections.push({ pattern, ending: value.toLowerCase() });
  }
  return { isRoot, sections };
}

/** A pattern without a slash means names at any depth; one with a slash counts from the file's folder. */
function isMeant(pattern: string, names: readonly string[]): boolean {
  if (pattern.length > LONGEST_PATTERN) return false;
  try {
    const anchored = hasFolders(pattern) ? pattern.replace(/^\//u, "") : `**/${pattern}`;
    // In these files `**` reaches across folders within a name too.
    const spelled = anchored.replaceAll(/(^|\/)\*\*(?=[^/*])/gu, "$1**/*");
    return parseGlob(spelled).some((branch) => matchPath(branch, names));
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}
