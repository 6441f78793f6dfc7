import { fillArguments } from "./fill-arguments.ts";
import type { WantedArgument } from "./fill-arguments.ts";
import type { JsonRecord } from "./json.ts";
import { nameWords } from "./offered-tool.ts";
import type { OfferedTool } from "./offered-tool.ts";

/** A thing some offered tool may be able to do. */
export type Capability =
  | "list_directory"
  | "find_files"
  | "read_file"
  | "search_text"
  | "run_command"
  | "fetch_url"
  | "write_file"
  | "edit_file"
  | "undo_change"
  | "redo_change";

/** What the planner wants to say to a tool, in words of its own. */
export type Role =
  | "path"
  | "pattern"
  | "command"
  | "url"
  | "content"
  | "limit"
  | "offset"
  | "lineNumbers"
  | "literal"
  | "outputMode"
  | "caseMode"
  | "mode"
  | "edits"
  | "changeId"
  | "timeout";

interface CapabilityRule {
  /** Names known to mean exactly this, best first, without case and separators. */
  names: readonly string[];
  /** What a description says of a tool under any other name. */
  describes: RegExp;
  needs: readonly Role[];
}

const roleNames: Readonly<Record<Role, readonly string[]>> = {
  path: [
    "path",
    "filepath",
    "filepaths",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "directory",
    "dir",
    "folder",
    "root",
  ],
  pattern: ["pattern", "patterns", "glob", "regex", "query", "needle", "text", "term"],
  command: ["command", "cmd", "commandline"],
  url: ["url", "uri", "href", "address", "link"],
  content: ["content", "contents", "text", "data", "body"],
  limit: ["limit", "maxlines", "maxmatches", "maxresults"],
  offset: ["offset", "startline", "line"],
  lineNumbers: ["linenumbers"],
  literal: ["literal", "fixedstrings"],
  outputMode: ["outputmode"],
  caseMode: ["case"],
  mode: ["mode"],
  edits: ["edits"],
  changeId: ["undoid"],
  timeout: ["timeout"],
};

const rules: Readonly<Record<Capability, CapabilityRule>> = {
  list_directory: {
    names: ["list", "ls", "listdirectory", "listdir", "listfiles", "readdir"],
    describes: /\blists?\b[^.]{0,60}\b(?:director(?:y|ies)|folders?)\b/i,
    needs: [],
  },
  find_files: {
    names: ["glob", "findfiles", "find", "searchfiles", "fileglob"],
    describes: /\bfinds?\b[^.]{0,60}\bfiles?\b[^.]{0,60}\b(?:patterns?|globs?|names?)\b/i,
    needs: ["pattern"],
  },
  read_file: {
    names: ["read", "readfile", "readfiles", "viewfile", "view", "cat", "openfile"],
    describes: /\breads?\b[^.]{0,60}\bfiles?\b/i,
    needs: ["path"],
  },
  search_text: {
    names: ["grep", "searchtext", "searchcode", "ripgrep", "rg", "search"],
    describes:
      /\b(?:search(?:es)?|finds?)\b[^.]{0,60}\b(?:text|lines|contents?)\b[^.]{0,60}\bfiles?\b|\bsearch(?:es)?\b[^.]{0,40}\bfiles?\b/i,
    needs: ["pattern", "path"],
  },
  run_command: {
    names: ["bash", "shell", "executecommand", "runcommand", "exec", "terminal"],
    describes: /\b(?:runs?|executes?)\b[^.]{0,60}\b(?:command|shell|bash)\b/i,
    needs: ["command"],
  },
  fetch_url: {
    names: ["webfetch", "fetch", "fetchurl", "httpget", "geturl"],
    describes: /\b(?:fetch(?:es)?|gets?|downloads?)\b[^.]{0,60}\b(?:urls?|pages?|addresses)\b/i,
    needs: ["url"],
  },
  write_file: {
    names: ["write", "writefile", "createfile", "savefile"],
    describes: /\b(?:writes?|creates?|saves?)\b[^.]{0,60}\bfiles?\b/i,
    needs: ["path", "content"],
  },
  edit_file: {
    names: ["edit", "editfile"],
    describes: /\bchanges?\b[^.]{0,60}\bfiles?\b/i,
    needs: ["path", "edits"],
  },
  undo_change: { names: ["undo"], describes: /\btakes? back\b/i, needs: [] },
  redo_change: { names: ["redo"], describes: /\bmakes? again\b/i, needs: [] },
};

/** Words in a name that promise something else than a description's chance wording. */
const otherDeeds =
  /^(?:delete|remove|rm|move|mv|rename|copy|edit|patch|undo|redo|send|post|put|upload|kill|download|append)$/;

/** One call the planner could make, its arguments fitted to the tool's declared parameters. */
export interface PlannedCall {
  toolName: string;
  input: JsonRecord;
  /** Why, in a sentence a reader of the run sees. */
  why: string;
}

/** The tools that can do something, best first. */
export function toolsFor(capability: Capability, tools: readonly OfferedTool[]): OfferedTool[] {
  return tools
    .map((tool) => ({ tool, rank: rankOf(tool, rules[capability]) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((left, right) => (left.rank ?? 0) - (right.rank ?? 0))
    .map(({ tool }) => tool);
}

/** What a tool is taken to be able to do, if it is one of the known things. */
export function capabilityOf(toolName: string, tools: readonly OfferedTool[]): Capability | undefined {
  const tool = tools.find(({ name }) => name === toolName);
  if (tool === undefined) return undefined;
  const ranked = capabilityNames
    .map((capability) => ({ capability, rank: rankOf(tool, rules[capability]) ?? Number.POSITIVE_INFINITY }))
    .sort((left, right) => left.rank - right.rank)[0];
  return ranked === undefined || ranked.rank === Number.POSITIVE_INFINITY ? undefined : ranked.capability;
}

/** Plans a call of the best offered tool that has parameters for all that is needed. */
export function planCall(
  capability: Capability,
  values: Partial<Record<Role, unknown>>,
  { tools, why }: { tools: readonly OfferedTool[]; why: string },
): PlannedCall | undefined {
  const { needs } = rules[capability];
  const wanted = (Object.keys(roleNames) as Role[])
    .filter((role) => values[role] !== undefined)
    .map((role): WantedArgument => ({
      names: roleNames[role],
      value: values[role],
      needed: needs.includes(role),
    }));
  for (const tool of toolsFor(capability, tools)) {
    const input = fillArguments(tool, wanted);
    if (input !== undefined) return { toolName: tool.name, input, why };
  }
  return undefined;
}

/** Everything the planner knows how to look for. */
export const capabilityNames = Object.keys(rules) as Capability[];

function rankOf(tool: OfferedTool, { names, describes, needs }: CapabilityRule): number | undefined {
  const accepts = needs.every((role) =>
    Object.keys(tool.properties).some((name) => roleNames[role].includes(plain(name))),
  );
  if (!accepts) return undefined;
  const exact = names.indexOf(plain(tool.name));
  if (exact >= 0) return exact;
  const another = capabilityNamesOf(tool.name) || nameWords(tool.name).some((word) => otherDeeds.test(word));
  return !another && describes.test(tool.description) ? names.length : undefined;
}

/** Says whether a name is already known to mean one of the capabilities. */
function capabilityNamesOf(name: string): boolean {
  return Object.values(rules).some(({ names }) => names.includes(plain(name)));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/gu, "");
}
