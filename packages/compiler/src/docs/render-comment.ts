import { ts } from "@ts-morph/common";

/** The text of a comment as TypeScript keeps it. */
type Comment = string | ts.NodeArray<ts.JSDocComment> | undefined;

/** The text of a comment with its line breaks; links become the words a reader sees. */
export function renderComment(comment: Comment): string {
  if (comment === undefined) return "";
  const text = typeof comment === "string" ? comment : comment.map((part) => renderPart(part)).join("");
  return text.replaceAll("\r\n", "\n").trim();
}

/** Joins the lines of a paragraph; lists, tables and code keep theirs. */
export function joinLines(text: string): string {
  const lines: string[] = [];
  let isCode = false;
  let canJoin = false;
  for (const line of text.split("\n").map((one) => one.trimEnd())) {
    const isFence = line.trimStart().startsWith("```");
    const isText = !isCode && !isFence && line !== "" && !/^\s*(?:[-*+>|#]|\d+[.)])/.test(line);
    const shown = isCode || isFence ? line : unescape(line);
    if (isText && canJoin) lines.push(`${lines.pop() ?? ""} ${shown.trim()}`);
    else lines.push(shown);
    if (isFence) isCode = !isCode;
    canJoin = !isCode && !isFence && line !== "" && !/^\s*[|#]/.test(line);
  }
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** `\\@`, `\\{` and `*\\/` are written so for the comment's sake alone. */
function unescape(line: string): string {
  return line.replaceAll(/\\([@{}]|(?<=\*\\)\/)/g, "$1");
}

function renderPart(part: ts.JSDocComment): string {
  if (ts.isJSDocLink(part) || ts.isJSDocLinkCode(part) || ts.isJSDocLinkPlain(part)) return renderLink(part);
  return part.text;
}

/** `{@link Weather | the weather}` is "the weather", `{@link Weather}` is "Weather", and a bare address stays. */
function renderLink({ name, text }: ts.JSDocLink | ts.JSDocLinkCode | ts.JSDocLinkPlain): string {
  const target = name === undefined ? "" : toNameText(name);
  const whole = text.startsWith("://") ? `${target}${text}` : text;
  const bar = whole.indexOf("|");
  const label = bar === -1 ? whole : whole.slice(bar + 1);
  return label.trim() === "" ? target : label.trim();
}

function toNameText(name: ts.EntityName | ts.JSDocMemberName): string {
  if (ts.isIdentifier(name)) return name.text;
  return `${toNameText(name.left)}.${name.right.text}`;
}
