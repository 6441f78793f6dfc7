import { ts } from "@ts-morph/common";
import { joinLines, renderComment } from "./render-comment.ts";
import { closeFence } from "./close-fence.ts";
import { readSameLineComment } from "./same-line-comment.ts";
import { isConstraintTag } from "./tag-names.ts";

/** One tag with its text. */
export interface DocTag {
  readonly name: string;
  /** With its line breaks. */
  readonly text: string;
  readonly node: ts.Node;
}

/** What a comment says of one parameter, or of a member of one. */
export interface ParameterDoc {
  /** `options`, or `options.city`. */
  readonly path: readonly string[];
  readonly text: string;
  /** Those that follow it and narrow a value. */
  readonly constraints: readonly DocTag[];
  readonly node: ts.Node;
}

/** What one documentation comment says. */
export interface Doc {
  readonly node: ts.JSDoc;
  readonly summary: string;
  readonly remarks?: string;
  readonly returns?: string;
  readonly parameters: readonly ParameterDoc[];
  readonly examples: readonly DocTag[];
  /** All the others, constraints of parameters left out. */
  readonly tags: readonly DocTag[];
}

/** Comments that speak of a file. */
const FILE_TAGS: ReadonlySet<string> = new Set(["packageDocumentation", "module", "file", "fileoverview", "license"]);

/** What JSDoc has for a text that does not come first. */
const SUMMARY_TAGS: ReadonlySet<string> = new Set(["description", "desc", "summary"]);

/** Reads the comment nearest to a declaration; undefined when there is none. */
export function readDoc(declaration: ts.Node): Doc | undefined {
  const comments = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  const node =
    comments.findLast((one) => !(one.tags ?? []).some(({ tagName }) => FILE_TAGS.has(tagName.text))) ??
    readSameLineComment(declaration);
  return node && toDoc(node);
}

/** The tag's text, or undefined when it is not there. */
export function findTag(doc: Doc | undefined, ...names: readonly string[]): DocTag | undefined {
  return doc?.tags.find(({ name }) => names.includes(name));
}

function toDoc(node: ts.JSDoc): Doc {
  const parameters: { path: string[]; text: string; constraints: DocTag[]; node: ts.Node }[] = [];
  const examples: DocTag[] = [];
  const tags: DocTag[] = [];
  let returns: string | undefined;
  let remarks: string | undefined;
  let open: DocTag[] | undefined;
  let codeEnd = 0;
  for (const tag of flattenTags(node.tags ?? [])) {
    if (tag.pos < codeEnd) continue;
    const name = tag.tagName.text;
    const rendered = renderComment(tag.comment);
    const { text, end } = closeFence(rendered, tag, node);
    codeEnd = end;
    if (ts.isJSDocParameterTag(tag)) {
      open = [];
      parameters.push({ path: toPath(tag.name), text: toSentence(text), constraints: open, node: tag });
      continue;
    }
    if (open !== undefined && isConstraintTag(name)) {
      open.push({ name, text, node: tag });
      continue;
    }
    open = undefined;
    if (ts.isJSDocReturnTag(tag)) returns = toSentence(text);
    else if (name === "remarks") remarks = joinLines(text);
    else if (name === "example") examples.push({ name, text, node: tag });
    else tags.push({ name, text, node: tag });
  }
  return {
    node,
    summary: toSummary(node, tags),
    parameters,
    examples,
    tags,
    ...(returns !== undefined && returns !== "" && { returns }),
    ...(remarks !== undefined && remarks !== "" && { remarks }),
  };
}

function toSummary(node: ts.JSDoc, tags: readonly DocTag[]): string {
  const first = joinLines(renderComment(node.comment));
  return first === "" ? joinLines(tags.find(({ name }) => SUMMARY_TAGS.has(name))?.text ?? "") : first;
}

/** With a type, TypeScript puts members of a parameter inside of it. */
function flattenTags(tags: readonly ts.JSDocTag[]): ts.JSDocTag[] {
  return tags.flatMap((tag) => {
    const type = ts.isJSDocParameterTag(tag) ? tag.typeExpression?.type : undefined;
    if (type === undefined || !ts.isJSDocTypeLiteral(type)) return [tag];
    return [tag, ...flattenTags(type.jsDocPropertyTags ?? [])];
  });
}

function toPath(name: ts.EntityName): string[] {
  return ts.isIdentifier(name) ? [name.text] : [...toPath(name.left), name.right.text];
}

/** TSDoc has a hyphen between the name and the words. */
export function toSentence(text: string): string {
  return joinLines(text.replace(/^[-–—:]\s+/, ""));
}
