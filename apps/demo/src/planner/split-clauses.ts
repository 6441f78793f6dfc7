/** Text of the request that stands for itself: code in backticks, a quotation, an address or a path. */
export interface Literal {
  kind: "code" | "quoted" | "url" | "path";
  text: string;
}

/** One thing the request asks for, its literals replaced by single marker characters. */
export interface Clause {
  /** The original wording. */
  text: string;
  /** The wording in which the n-th literal is one private-use character. */
  masked: string;
  literals: readonly Literal[];
}

/** The longest request that is read; what follows is ignored. */
const maximumRequestLength = 20_000;
const firstMarker = 0xe000;
const maximumLiterals = 2_000;

const tokenPattern =
  /```(?:[a-z]*\n)?([\s\S]{1,8000}?)```|`([^`\n]{1,4000})`|"([^"\n]{1,4000})"|“([^”\n]{1,4000})”|(?<![\w])'([^'\n]{1,4000})'(?!\w)|(https?:\/\/[^\s<>"'`]+)|[^\s,;"'`<>()]+/giu;

const verbs =
  "what|which|where|how|who|list|find|search|grep|look|read|show|open|view|display|print|run|execute|fetch|get|download|visit|load|write|save|store|put|create|append|export|use|call|then|also|finally|try|attempt|please|tell|summari[sz]e|explain|describe|report|count|calculate|compute|check|inspect|explore|replace|change|undo|redo|move|copy|delete|multiply|divide|subtract|add";

const fillers =
  /^(?:please|then|and|also|finally|first|second|next|now|afterwards|can you|could you|would you|i want you to|i would like you to|try to|attempt to|try|attempt)\b[\s,]*/i;

/** Splits a request into clauses, each holding one wish; literals are never split. */
export function splitClauses(request: string, extraVerbs: readonly string[] = []): Clause[] {
  const literals: Literal[] = [];
  const masked = maskLiterals(request.slice(0, maximumRequestLength), literals);
  const starters = [verbs, ...extraVerbs.filter((word) => /^[a-z]{2,30}$/.test(word))].join("|");
  const connector = new RegExp(
    `,? (?:and then|and also|and finally|and|then) (?=(?:${starters})\\b)|, (?=(?:${starters})\\b)`,
    "giu",
  );
  return masked
    .split(/[;!?\n]+|[.:](?=\s|$)/u)
    .flatMap((sentence) => sentence.replaceAll(/\s+/gu, " ").split(connector))
    .map((part) => toClause(part, literals))
    .filter((clause) => clause.masked !== "");
}

/** Puts the literals of a clause back into a piece of its masked wording. */
export function unmask(masked: string, literals: readonly Literal[]): string {
  return masked.replaceAll(/[\uE000-\uF8FF]/gu, (marker) => literals[indexOfMarker(marker)]?.text ?? "");
}

/** Says whether a word is written like a file path or a file pattern. */
export function looksLikePath(word: string): boolean {
  if (word.length < 2 || word.length > 1_000 || /^(?:and\/or|either\/or|he\/she|n\/a|e\.g|i\.e|w\/o)$/i.test(word))
    return false;
  if (/^[\d.,/+*-]+$/.test(word) || !/[\p{L}\p{N}*]/u.test(word)) return /^\.{1,2}\/?$/.test(word);
  if (/[*]/.test(word) && /[./*]/.test(word)) return true;
  if (/^(?:[a-z]:[\\/]|~\/|\.{0,2}\/)/i.test(word)) return true;
  if (word.includes("/") && !word.startsWith("@")) return true;
  return !/[\n=(){}]| -/.test(word) && /\S?\.[a-z][a-z0-9]{0,9}$/i.test(word);
}

function maskLiterals(text: string, literals: Literal[]): string {
  const clean = text.replaceAll(/[\uE000-\uF8FF]/gu, "");
  return clean.replaceAll(tokenPattern, (token: string, ...groups: unknown[]) => {
    if (literals.length >= maximumLiterals) return token;
    const [fence, tick, double, curly, single, url] = groups as (string | undefined)[];
    const code = fence ?? tick;
    if (code !== undefined) return mark(literals, { kind: "code", text: code.trim() });
    const quoted = double ?? curly ?? single;
    if (quoted !== undefined) return mark(literals, { kind: "quoted", text: quoted });
    const bare = token.replace(/[.,;:!?)\]]+$/u, "");
    if (url !== undefined) return mark(literals, { kind: "url", text: bare }) + token.slice(bare.length);
    const path = /^\.{1,2}$/.test(token) ? token : bare;
    return looksLikePath(path) ? mark(literals, { kind: "path", text: path }) + token.slice(path.length) : token;
  });
}

function mark(literals: Literal[], literal: Literal): string {
  literals.push(literal);
  return String.fromCodePoint(firstMarker + literals.length - 1);
}

function indexOfMarker(marker: string): number {
  return (marker.codePointAt(0) ?? firstMarker) - firstMarker;
}

/** Renumbers the markers, so that a clause carries only its own literals. */
function toClause(part: string, all: readonly Literal[]): Clause {
  const literals: Literal[] = [];
  const renumbered = part.replaceAll(/[\uE000-\uF8FF]/gu, (marker) => {
    const literal = all[indexOfMarker(marker)];
    return literal === undefined ? "" : mark(literals, literal);
  });
  const masked = stripFillers(renumbered.trim().replaceAll(/^[,\s]+|[,\s]+$/gu, ""));
  return { masked, literals, text: unmask(masked, literals) };
}

function stripFillers(text: string): string {
  let rest = text;
  for (let shorter = rest.replace(fillers, ""); shorter !== rest; shorter = rest.replace(fillers, "")) {
    rest = shorter;
  }
  return rest;
}
