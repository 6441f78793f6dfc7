import type { Intent } from "./intent.ts";
import { parseFileWish } from "./parse-file-wish.ts";
import { looksLikePath, splitClauses, unmask } from "./split-clauses.ts";
import type { Clause, Literal } from "./split-clauses.ts";

/** A request has at most this many wishes; the others are reported as not attempted. */
export const maximumIntents = 10;

type Rule = (clause: Clause) => Intent | undefined;

/** Turns a request into what it asks for, one intent for each clause, duplicates dropped. */
export function parseRequest(request: string, toolVerbs: readonly string[] = []): Intent[] {
  const intents: Intent[] = [];
  const seen = new Set<string>();
  for (const clause of splitClauses(request, toolVerbs)) {
    const intent = toIntent(clause);
    const { clause: _wording, ...meaning } = intent;
    const key = intent.kind === "use_tool" ? clause.text : JSON.stringify(meaning);
    if (seen.has(key)) continue;
    seen.add(key);
    intents.push(intent);
  }
  return intents;
}

/** Reads one clause; what no rule understands is left to the offered tools' own words. */
export function toIntent(clause: Clause): Intent {
  for (const rule of rules) {
    const intent = rule(clause);
    if (intent !== undefined) return intent;
  }
  return { kind: "use_tool", clause };
}

const rules: readonly Rule[] = [
  asNamedTool,
  asReplace,
  asGoBack,
  asWrite,
  asRun,
  asFetch,
  asSearch,
  asPackages,
  parseFileWish,
  asOverview,
  asAnswer,
];

function asNamedTool(clause: Clause): Intent | undefined {
  const named =
    /^(?:use|call|invoke) (?:the )?(?:tool )?(?:([\uE000-\uF8FF])|([a-z_]\w{0,63}))(?: tool\b|\b|(?=\s|$))/iu.exec(
      clause.masked,
    );
  if (named === null) return undefined;
  const toolName = named[1] === undefined ? named[2] : unmask(named[1], clause.literals);
  return toolName === undefined ? undefined : { kind: "use_tool", clause, toolName };
}

function asWrite(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  if (!/^(?:write|save|store|put|record|create|append|export)\b/i.test(masked)) return undefined;
  const target =
    /\b(?:to|into|in|as|at|under|called|named)\b(?: (?:the|a|an|new))*(?: file)?(?: (?:called|named))? ([\uE000-\uF8FF])/iu.exec(
      masked,
    );
  const pathMarker = target?.[1] ?? markerOfFirstPath(clause);
  if (pathMarker === undefined) return { kind: "answer", clause };
  const path = unmask(pathMarker, literals);
  const rest = masked.replace(pathMarker, "");
  const content = literalsIn(rest, literals).find(({ kind }) => kind === "quoted" || kind === "code")?.text;
  const replaces = /\b(?:overwrit\w*|replac\w*)\b/i.test(masked);
  const mode = /^append\b/i.test(masked) ? "append" : replaces ? "overwrite" : "create";
  return content === undefined ? { kind: "write", clause, path, mode } : { kind: "write", clause, path, content, mode };
}

/** `replace "a" with "b" in c.txt`: three literals in this order. */
function asReplace(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  const found =
    /^(?:replace|change) (?:the \w+ )?([\uE000-\uF8FF]) (?:with|by|to|into) (?:the \w+ )?([\uE000-\uF8FF]) in (?:the )?(?:file )?([\uE000-\uF8FF])$/iu.exec(
      masked,
    );
  const [oldText, newText, file] = (found?.slice(1) ?? []).flatMap((marker) => literalsIn(marker, literals));
  if (oldText === undefined || newText === undefined || file === undefined || !isPathLiteral(file)) return undefined;
  return { kind: "replace", clause, path: file.text, oldText: oldText.text, newText: newText.text };
}

function asGoBack(clause: Clause): Intent | undefined {
  const direction = /^(undo|redo)(?: (?:it|that|this|the (?:last )?(?:change|edit)))?$/iu.exec(clause.masked)?.[1];
  if (direction === undefined) return undefined;
  return { kind: "go_back", clause, direction: direction.toLowerCase() === "redo" ? "redo" : "undo" };
}

function markerOfFirstPath(clause: Clause): string | undefined {
  return [...clause.masked].find((character) => {
    const literal = literalsIn(character, clause.literals)[0];
    return literal !== undefined && isPathLiteral(literal);
  });
}

function asRun(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  const onlyCode = /^[\uE000-\uF8FF]$/u.test(masked) && literals[0]?.kind === "code" && literals[0].text.includes(" ");
  const verb = /^(?:run|execute)\b(?: the)?(?: shell)?(?: command)?\s*/i.exec(masked);
  if (verb === null && !onlyCode) return undefined;
  const code = literals.find(({ kind }) => kind === "code" || kind === "quoted");
  if (code !== undefined) return { kind: "run", clause, command: code.text };
  const rest = unmask(masked.slice(verb?.[0].length ?? 0), literals).trim();
  if (rest === "" || /^(?:a|an|some|any|my|all|it|this|that|the)\b/i.test(rest)) return { kind: "run", clause };
  return { kind: "run", clause, command: rest };
}

function asFetch(clause: Clause): Intent | undefined {
  const url = clause.literals.find(({ kind, text }) => kind === "url" || /^https?:\/\/\S+$/i.test(text));
  if (url === undefined) return undefined;
  return { kind: "fetch", clause, url: url.text };
}

const searchVerb =
  /^(?:search(?: through)?|grep|look for|look up|find (?:all |the |every )*(?:occurrences?|mentions?|uses|usages?|references?))\b/i;
const definitionWords = /\b(?:defined|declared|definition|declaration|implemented|implementation)\b/i;

function asSearch(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  const definition = definitionWords.test(masked);
  const where = /\bwhere\b/i.test(masked) || (definition && /^(?:find|show|locate|search)\b/i.test(masked));
  if (!searchVerb.test(masked) && !where && !findsText(clause)) return undefined;
  const path = folderOf(clause);
  const term = searchTerm(clause, path);
  if (term === undefined && !where && !/\b(?:it|its|something|names?)\b/i.test(masked)) return undefined;
  return {
    kind: "search",
    clause,
    definition,
    ...(term === undefined ? {} : { term }),
    ...(path === undefined ? {} : { path: unmask(path, literals) }),
  };
}

function findsText({ masked, literals }: Clause): boolean {
  const first = literals[0];
  if (!/^(?:find|locate)\b/i.test(masked) || /\bfiles?\b/i.test(masked) || first === undefined) return false;
  return first.kind === "quoted" || (first.kind === "code" && !looksLikePath(first.text));
}

/** Finds what is searched for: a quotation first, then the words where a name usually stands. */
function searchTerm({ masked, literals }: Clause, path: string | undefined): string | undefined {
  const spoken =
    path === undefined
      ? masked
      : masked.replace(new RegExp(`\\b(?:in|under|within|inside) (?:the )?${escapeRegExp(path)}.*$`, "iu"), "");
  const quoted = literalsIn(spoken, literals).find(({ kind }) => kind === "code" || kind === "quoted");
  if (quoted !== undefined && quoted.text.trim() !== "") return quoted.text;
  const phrase =
    /\b(?:for|of|grep|where|definition of|locate)\s+(?:is |are |does |do |the (?:text |word |string |function |class |type )*|all |every |any )*(.+?)(?:\s+(?:is|are|was|were|gets?|in|under|within|inside|through|across|comes?|lives?|definition|defined|declared)\b.*)?$/iu.exec(
      spoken,
    );
  const words = unmask(phrase?.[1] ?? "", literals).trim();
  if (
    words === "" ||
    /^(?:(?:the |a |an |any |some )?(?:names?|words?|functions?|things?) (?:it|that|which|they|mentioned|from)|(?:it|its|that|this|they|something|one|what it)\b)/i.test(
      words,
    )
  )
    return undefined;
  return words.slice(0, 200);
}

/** The folder a clause limits itself to, as it stands in the masked wording. */
function folderOf({ masked, literals }: Clause): string | undefined {
  const found = [
    ...masked.matchAll(
      /\b(?:in|under|within|inside) (?:the )?(?:folders? |director(?:y|ies) )?([\uE000-\uF8FF]|[\w.-]{1,100})/giu,
    ),
  ].at(-1)?.[1];
  if (
    found === undefined ||
    /^(?:this|here|repo\w*|project|it|all|any|every|codebase|code|files?|which|what|order|sources?)$/i.test(found)
  )
    return undefined;
  const literal = literalsIn(found, literals)[0];
  return literal === undefined || isPathLiteral(literal) ? found : undefined;
}

function asPackages(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  if (
    !/\b(?:packages|workspaces|modules)\b/i.test(masked) ||
    /\bfiles?\b/i.test(masked) ||
    literals.some(isPathLiteral)
  )
    return undefined;
  return /^(?:what|which|how many|list|show|find|name|print|display|tell|describe|count)\b/i.test(masked)
    ? { kind: "packages", clause }
    : undefined;
}

function asOverview(clause: Clause): Intent | undefined {
  const { masked } = clause;
  const about = /\b(?:repo(?:sitory)?|project|codebase|workspace)\b/i.test(masked);
  if (
    about &&
    /\b(?:look|what|about|describe|explain|summari[sz]e|overview|explore|inspect|understand|tell)\b/i.test(masked)
  )
    return { kind: "overview", clause };
  return /^(?:what(?: is|'s) (?:it|this)(?: about| for)?|what does (?:it|this) do)$/i.test(masked)
    ? { kind: "overview", clause }
    : undefined;
}

function asAnswer(clause: Clause): Intent | undefined {
  const { masked, literals } = clause;
  if (literals.length > 0) return undefined;
  return /^(?:summari[sz]e|report|tell|explain|describe|answer|thanks?|thank you|ok(?:ay)?)\b/i.test(masked)
    ? { kind: "answer", clause }
    : undefined;
}

function literalsIn(masked: string, literals: readonly Literal[]): Literal[] {
  return [...masked].flatMap((character) => {
    const index = (character.codePointAt(0) ?? 0) - 0xe000;
    const literal = index < 0 ? undefined : literals[index];
    return literal === undefined ? [] : [literal];
  });
}

function isPathLiteral({ kind, text }: Literal): boolean {
  return kind === "path" || (kind !== "url" && looksLikePath(text));
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
}
