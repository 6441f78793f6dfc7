import type { ToolEffects, ToolSpec } from "../contract/tool-spec.ts";
import { toCanonicalJson } from "../schema/canonical-json.ts";
import { matchGlob } from "../schema/match-glob.ts";

/** Conditions a spec must all meet; absent ones say nothing. */
export interface SpecFilter {
  readonly category?: string;
  /** The spec has every one. */
  readonly tags?: readonly string[];
  /** A string is a glob of `*` and `?` over the whole name, a RegExp a regular expression. */
  readonly namePattern?: string | RegExp;
  readonly type?: string;
  readonly effects?: Partial<ToolEffects>;
  /** The spec names every one. */
  readonly permissions?: readonly string[];
  /** The author's own flags (`metadata.custom`), equal as JSON. */
  readonly where?: { readonly [flag: string]: unknown };
}

/** Criteria of the original designs; every further key is an author's own flag. */
export interface ToolCriteria {
  readonly tags?: readonly string[];
  readonly category?: string;
  /** A string is a glob, a RegExp a regular expression. */
  readonly name_pattern?: string | RegExp;
  readonly [flag: string]: unknown;
}

/** Keeps the specs that meet every condition, in their order. */
export function filterSpecs(specs: readonly ToolSpec[], filter: SpecFilter = {}): ToolSpec[] {
  const { category, tags = [], type, permissions = [] } = filter;
  const isNameWanted = toNameTest(filter.namePattern);
  return specs.filter(
    ({ name, type: specType, metadata }) =>
      (category === undefined || metadata.category === category) &&
      (type === undefined || specType === type) &&
      tags.every((tag) => metadata.tags.includes(tag)) &&
      permissions.every((permission) => metadata.permissions.includes(permission)) &&
      hasEffects(metadata.effects, filter.effects ?? {}) &&
      hasFlags(metadata.custom ?? {}, filter.where ?? {}) &&
      isNameWanted(name),
  );
}

/** Translates criteria of the original designs. */
export function toSpecFilter({ tags, category, name_pattern: namePattern, ...where }: ToolCriteria): SpecFilter {
  return {
    ...(tags !== undefined && { tags }),
    ...(category !== undefined && { category }),
    ...(namePattern !== undefined && { namePattern }),
    where,
  };
}

function hasEffects(effects: ToolEffects, wanted: Partial<ToolEffects>): boolean {
  const flags = new Map<string, unknown>(Object.entries(effects));
  return Object.entries(wanted).every(([flag, value]) => value === undefined || flags.get(flag) === value);
}

function hasFlags(custom: { readonly [flag: string]: unknown }, wanted: { readonly [flag: string]: unknown }): boolean {
  return Object.entries(wanted).every(
    ([flag, value]) =>
      value === undefined || (Object.hasOwn(custom, flag) && toCanonicalJson(custom[flag]) === toCanonicalJson(value)),
  );
}

function toNameTest(pattern: string | RegExp | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  // search() starts at 0 whatever the flags; test() of a global expression would not.
  if (typeof pattern !== "string") return (name) => name.search(pattern) !== -1;
  return (name) => matchGlob(pattern, name);
}
