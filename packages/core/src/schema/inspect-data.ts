import { findHiddenText, isPlainText } from "./hidden-text.ts";

/** One wrong place in data; `pointer` is a JSON pointer. */
export interface DataIssue {
  readonly pointer: string;
  readonly message: string;
}

/** What data may be. */
export interface DataBounds {
  readonly depth: number;
  /** Characters of all names and texts together. */
  readonly characters: number;
  /** Known to hide no text, as `isPlainJson` says of what it was parsed from. */
  readonly isPlain?: boolean;
}

/** What one walk through data showed. */
export interface InspectedData {
  readonly issues: DataIssue[];
  /** Some member is called `$ref`. */
  readonly hasReferences: boolean;
}

/** More say nothing new, and hostile data has many. */
const MAX_ISSUES = 20;

const LIST = "[object Array]";
const OBJECT = "[object Object]";

interface Inspection {
  readonly bounds: DataBounds;
  readonly issues: DataIssue[];
  readonly path: string[];
  characters: number;
  hasReferences: boolean;
}

/** Checks in one walk that data is JSON, within bounds, and hides no text from people (SEC-META-1). */
export function inspectData(value: unknown, bounds: DataBounds): InspectedData {
  const inspection: Inspection = { bounds, issues: [], path: [], characters: 0, hasReferences: false };
  inspect(value, inspection);
  const { issues, hasReferences } = inspection;
  // What follows the last of many was not looked at.
  if (issues.length >= MAX_ISSUES) issues.unshift({ pointer: "", message: `has ${MAX_ISSUES} wrong places or more` });
  if (inspection.characters > bounds.characters)
    issues.unshift({ pointer: "", message: `must have at most ${bounds.characters} characters of text` });
  return { issues, hasReferences };
}

/** Writes a JSON pointer (RFC 6901). */
export function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function inspect(value: unknown, inspection: Inspection): void {
  if (value === null || value === undefined || typeof value === "boolean") return;
  if (typeof value === "string") return inspectText(value, inspection);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) report(inspection, `must be JSON, which has no ${value}`);
    return;
  }
  if (typeof value !== "object") return report(inspection, `must be JSON, which has no ${typeof value}`);
  inspectMembers(value, inspection);
}

function inspectMembers(value: object, inspection: Inspection): void {
  const { bounds, path } = inspection;
  const isList = Array.isArray(value);
  const kind = isList ? LIST : Object.prototype.toString.call(value);
  if (kind !== OBJECT && kind !== LIST)
    return report(inspection, `must be JSON, which has no ${kind.slice("[object ".length, -1)}`);
  // Cycles end here too.
  if (path.length >= bounds.depth)
    return report({ ...inspection, path: [] }, `must not nest deeper than ${bounds.depth} levels`);
  for (const key of Object.keys(value)) {
    if (inspection.characters > bounds.characters || inspection.issues.length >= MAX_ISSUES) return;
    path.push(key);
    if (!isList) inspectText(key, inspection);
    if (key === "$ref") inspection.hasReferences = true;
    inspect((value as Record<string, unknown>)[key], inspection);
    path.pop();
  }
}

function inspectText(text: string, inspection: Inspection): void {
  inspection.characters += text.length;
  if (inspection.bounds.isPlain === true || isPlainText(text)) return;
  const [hidden] = findHiddenText(text);
  if (hidden === undefined) return;
  const codePoint = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  report(inspection, `must not hide text from people: U+${codePoint}`);
}

function report({ issues, path }: Inspection, message: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ pointer: toPointer(path), message });
}
