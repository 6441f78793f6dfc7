import { findHiddenText, isPlainText } from "./hidden-text.ts";
import { toPointer } from "./json-pointer.ts";

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

const OBJECT = "[object Object]";

/** Wrong places of a value, their pointers from it on; nothing where all is well, as nearly everywhere. */
type Found = readonly DataIssue[] | undefined;

interface Inspection {
  readonly bounds: DataBounds;
  issues: number;
  characters: number;
  isTooDeep: boolean;
  hasReferences: boolean;
}

/** Checks in one walk that data is JSON, within bounds, and hides no text from people (SEC-META-1). */
export function inspectData(value: unknown, bounds: DataBounds): InspectedData {
  const inspection: Inspection = { bounds, issues: 0, characters: 0, isTooDeep: false, hasReferences: false };
  const found = inspect(value, inspection, 0) ?? [];
  const { issues, characters, isTooDeep, hasReferences } = inspection;
  const whole = [
    characters > bounds.characters ? `must have at most ${bounds.characters} characters of text` : "",
    // What follows the last of many was not looked at.
    issues >= MAX_ISSUES ? `has ${MAX_ISSUES} wrong places or more` : "",
    isTooDeep ? `must not nest deeper than ${bounds.depth} levels` : "",
  ].filter((message) => message !== "");
  return { issues: [...whole.map((message) => ({ pointer: "", message })), ...found], hasReferences };
}

function inspect(value: unknown, inspection: Inspection, depth: number): Found {
  if (typeof value === "object" && value !== null) return inspectMembers(value, inspection, depth);
  if (typeof value === "string") return inspectText(value, inspection);
  if (value === null || value === undefined || typeof value === "boolean" || Number.isFinite(value)) return undefined;
  return report(inspection, `must be JSON, which has no ${typeof value === "number" ? value : typeof value}`);
}

function inspectMembers(value: object, inspection: Inspection, depth: number): Found {
  const { bounds } = inspection;
  // What was parsed has no other kinds.
  const kind = bounds.isPlain === true || Array.isArray(value) ? OBJECT : Object.prototype.toString.call(value);
  if (kind !== OBJECT) return report(inspection, `must be JSON, which has no ${kind.slice("[object ".length, -1)}`);
  // Cycles end here too.
  if (depth < bounds.depth) return inspectEach(value, inspection, depth + 1);
  inspection.isTooDeep = true;
  inspection.issues += 1;
  return undefined;
}

/** Keeps no path, which only wrong places need: nothing is done more often by discovery. */
function inspectEach(value: object, inspection: Inspection, depth: number): Found {
  const isList = Array.isArray(value);
  let issues: DataIssue[] | undefined;
  for (const key of Object.keys(value)) {
    if (inspection.characters > inspection.bounds.characters || inspection.issues >= MAX_ISSUES) break;
    if (key === "$ref") inspection.hasReferences = true;
    const ofKey = isList ? undefined : inspectText(key, inspection);
    const ofMember = inspect((value as Record<string, unknown>)[key], inspection, depth);
    if (ofKey !== undefined) issues = addBelow(issues, key, ofKey);
    if (ofMember !== undefined) issues = addBelow(issues, key, ofMember);
  }
  return issues;
}

function inspectText(text: string, inspection: Inspection): Found {
  inspection.characters += text.length;
  return inspection.bounds.isPlain === true || isPlainText(text) ? undefined : findHidden(text, inspection);
}

function findHidden(text: string, inspection: Inspection): Found {
  const [hidden] = findHiddenText(text);
  if (hidden === undefined) return undefined;
  const codePoint = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return report(inspection, `must not hide text from people: U+${codePoint}`);
}

function report(inspection: Inspection, message: string): Found {
  if (inspection.issues >= MAX_ISSUES) return undefined;
  inspection.issues += 1;
  return [{ pointer: "", message }];
}

/** Adds issues of a member to those of what it is a member of. */
export function addBelow(issues: DataIssue[] | undefined, key: string, found: readonly DataIssue[]): DataIssue[] {
  const all = issues ?? [];
  const start = toPointer([key]);
  for (const { pointer, message } of found) all.push({ pointer: `${start}${pointer}`, message });
  return all;
}
