import { nearestNames } from "@aiw/core";

/** Tags that say something of a tool. */
const TOOL_TAGS = [
  "tool",
  "name",
  "title",
  "version",
  "category",
  "tags",
  "effects",
  "permissions",
  "requiresApproval",
  "timeout",
  "internal",
  "remarks",
  "param",
  "returns",
  "example",
  "deprecated",
] as const;

/** Tags that narrow a value. */
const CONSTRAINT_TAGS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "integer",
  "asType",
  "default",
  "examples",
] as const;

/** A tag that narrows a value. */
export type ConstraintTag = (typeof CONSTRAINT_TAGS)[number];

/** Tags of TSDoc, JSDoc and TypeDoc that say nothing of a tool, and are no misspelling of one that does. */
const OTHER_TAGS = `abstract access alias alpha api arg argument async augments author beta borrows callback class classdesc
  constant constructor constructs copyright const decorator defaultValue defaultvalue desc description document else emits
  enum enumeration event eventProperty exception exports expand experimental export extends external fileoverview file
  fires function func generator global group groupDescription hidden hideconstructor ignore implements import include
  inheritDoc inheritdoc inline inner instance interface kind label lends license link linkcode linkplain listens member
  memberof method mixes mixin module namespace nosideeffects overload override overview package packageDocumentation
  preserve preventExpand preventInline primaryExport private privateRemarks prop property protected prototype public
  readonly reexport ref requires return satisfies sealed see since sortStrategy static subcategory suppress summary
  template this throws todo tutorial type typeParam typedef types use useDeclaredType var variation virtual yield yields
  categoryDescription mergeModuleWith noInheritDoc nonnull typescript`;

const KNOWN: readonly string[] = [...TOOL_TAGS, ...CONSTRAINT_TAGS];
const KNOWN_TAGS: ReadonlySet<string> = new Set([...KNOWN, ...OTHER_TAGS.split(/\s+/)]);
const CONSTRAINTS: ReadonlySet<string> = new Set(CONSTRAINT_TAGS);

/** True for a tag that narrows a value. */
export function isConstraintTag(name: string): name is ConstraintTag {
  return CONSTRAINTS.has(name);
}

/** What other tools call tags of ours. */
const MEANT: ReadonlyMap<string, ConstraintTag> = new Map([
  ["min", "minimum"],
  ["max", "maximum"],
  ["int", "integer"],
  ["regex", "pattern"],
  ["regexp", "pattern"],
]);

/** True for a tag that somebody reads, here or elsewhere. */
export function isKnownTag(name: string): boolean {
  return KNOWN_TAGS.has(name);
}

/** Letters of a tag; shorter ones are near to too much. */
const MIN_LETTERS = 5;

/** The tag somebody meant who wrote one that nobody knows. */
export function findMeantTag(name: string): string | undefined {
  const meant = MEANT.get(name);
  if (meant !== undefined) return meant;
  if (KNOWN_TAGS.has(name) || name.length < MIN_LETTERS) return undefined;
  return nearestNames(name, KNOWN, 1).find((near) => near.charAt(0) === name.charAt(0).toLowerCase());
}
