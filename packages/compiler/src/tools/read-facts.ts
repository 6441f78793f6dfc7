import type { EffectsDefinition, Json, ToolFacts } from "@aiw/core";
import type { Report } from "../docs/read-constraints.ts";
import { findTag, type Doc, type DocTag } from "../docs/read-doc.ts";
import type { Candidate } from "./candidate.ts";

/** What tags and decorator say of a tool, apart from its name and texts. */
export type TaggedFacts = Pick<
  ToolFacts,
  | "title"
  | "version"
  | "category"
  | "tags"
  | "effects"
  | "permissions"
  | "requiresApproval"
  | "timeoutMs"
  | "display"
  | "custom"
>;

const FLAGS = ["readOnly", "destructive", "idempotent", "openWorld"] as const;
type Flags = { readonly [flag in (typeof FLAGS)[number]]?: boolean };

/** What a shortcut means, and which of it no flag behind it may deny. */
interface Shortcut {
  readonly flags: Flags;
  readonly fixed: readonly string[];
}

const READING = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

const SHORTCUTS: ReadonlyMap<string, Shortcut> = new Map([
  ["pure", { flags: READING, fixed: FLAGS }],
  ["read", { flags: READING, fixed: ["readOnly", "destructive", "idempotent"] }],
  [
    "write",
    { flags: { readOnly: false, destructive: true, idempotent: false, openWorld: false }, fixed: ["readOnly"] },
  ],
]);
const UNITS: Readonly<Record<string, number>> = { "": 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_TIMEOUT_MS = 24 * 3_600_000;
const DECORATED = [
  "title",
  "version",
  "category",
  "tags",
  "permissions",
  "requiresApproval",
  "timeoutMs",
  "display",
] as const;

/** Reads the facts of a tool; what the decorator says holds. */
export function readFacts({ doc, decorator, node }: Candidate, report: Report): TaggedFacts {
  const values = decorator?.values ?? {};
  const decorated = Object.fromEntries(
    DECORATED.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
  const effects =
    values["effects"] === undefined ? readEffects(doc, report) : checkEffects(values["effects"], node, report);
  if (effects === undefined) report(withoutEffects(node));
  return {
    ...readTexts(doc),
    ...readLists(doc),
    ...readApproval(doc, report),
    ...readTimeout(doc, report),
    ...(effects !== undefined && { effects }),
    ...readCustom(doc, values["custom"]),
    ...decorated,
  };
}

function readTexts(doc: Doc | undefined): Pick<TaggedFacts, "title" | "version" | "category"> {
  const texts = (["title", "version", "category"] as const).map((name) => [name, findTag(doc, name)?.text] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined && text !== ""));
}

function readLists(doc: Doc | undefined): Pick<TaggedFacts, "tags" | "permissions"> {
  const lists = (["tags", "permissions"] as const).map((name) => [name, toList(findTag(doc, name)?.text)] as const);
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
}

function toList(text: string | undefined): string[] {
  const words = (text ?? "").split(/[,\s]+/).filter((word) => word !== "");
  return [...new Set(words)];
}

function readApproval(doc: Doc | undefined, report: Report): Pick<TaggedFacts, "requiresApproval"> {
  const tag = findTag(doc, "requiresApproval");
  if (tag === undefined || tag.text === "false") return {};
  if (tag.text !== "" && tag.text !== "true") report(invalidTag(tag, "nothing behind it, true or false"));
  return { requiresApproval: true };
}

function readTimeout(doc: Doc | undefined, report: Report): Pick<TaggedFacts, "timeoutMs"> {
  const tag = findTag(doc, "timeout");
  if (tag === undefined) return {};
  const [, amount = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h)?$/.exec(tag.text) ?? [];
  const timeoutMs = Math.round(Number(amount) * (UNITS[unit] ?? 1));
  if (amount !== "" && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return { timeoutMs };
  report(invalidTag(tag, "a time such as 500ms, 5s or 2m, at most 24h"));
  return {};
}

/** An author's own flags, and that nobody should begin to use the tool. */
function readCustom(doc: Doc | undefined, custom: Json | undefined): Pick<TaggedFacts, "custom"> {
  const deprecated = findTag(doc, "deprecated");
  const flag = deprecated && { deprecated: deprecated.text === "" ? true : deprecated.text };
  const own = typeof custom === "object" && custom !== null ? custom : undefined;
  return flag === undefined && own === undefined ? {} : { custom: { ...flag, ...own } };
}

/** `read`, flags such as `readOnly, openWorld=false`, or `read, openWorld`: flags that change what a word means. */
function readEffects(doc: Doc | undefined, report: Report): EffectsDefinition | undefined {
  const tag = findTag(doc, "effects");
  if (tag === undefined) return undefined;
  const text = tag.text.trim();
  if (text === "pure" || text === "read" || text === "write") return text;
  const [first = "", ...others] = toList(text);
  const shortcut = SHORTCUTS.get(first);
  const words = shortcut === undefined ? toList(text) : others;
  const flags = words.map((word) => /^(\w+)(?:=(true|false))?$/.exec(word) ?? []);
  const isLegal = words.length > 0 && flags.every(([, name]) => FLAGS.some((flag) => flag === name));
  if (!isLegal) {
    report(
      invalidTag(
        tag,
        `pure, read or write, flags after it if need be (read, openWorld), or of ${FLAGS.join(", ")} those that hold, and flag=false for those that do not`,
      ),
    );
    return {};
  }
  const said = flags.map(([, name = "", value]) => [name, value !== "false"] as const);
  const denied = said.find(([name, value]) => isDenied(name, value, { shortcut, said }));
  if (denied !== undefined) report(contradiction(tag, denied, shortcut === undefined ? undefined : first));
  return { ...shortcut?.flags, ...Object.fromEntries(said) };
}

interface SaidFlags {
  readonly shortcut: Shortcut | undefined;
  readonly said: readonly (readonly [name: string, value: boolean])[];
}

function isDenied(name: string, value: boolean, { shortcut, said }: SaidFlags): boolean {
  if (said.some(([other, otherwise]) => other === name && otherwise !== value)) return true;
  return (
    shortcut?.fixed.includes(name) === true &&
    Object.entries(shortcut.flags).some(([flag, meant]) => flag === name && meant !== value)
  );
}

function contradiction(
  { text, node }: DocTag,
  [name, value]: readonly [name: string, value: boolean],
  shortcut: string | undefined,
): Parameters<Report>[0] {
  const shown = JSON.stringify(text.slice(0, 80));
  return {
    code: "tag_invalid",
    severity: "error",
    message:
      shortcut === undefined
        ? `@effects ${shown} says both that ${name} holds and that it does not.`
        : `@effects ${shown} contradicts itself: ${shortcut} means that ${name} is ${!value}.`,
    fix:
      shortcut === undefined
        ? `Write ${name} once.`
        : `Leave ${name} out, or write flags alone instead of ${shortcut}.`,
    node,
  };
}

function checkEffects(effects: Json, node: Candidate["node"], report: Report): EffectsDefinition {
  if (typeof effects === "string" && SHORTCUTS.has(effects)) return effects as EffectsDefinition;
  const isLegal =
    typeof effects === "object" &&
    effects !== null &&
    Object.entries(effects).every(([name, value]) => FLAGS.some((flag) => flag === name) && typeof value === "boolean");
  if (isLegal) return effects as EffectsDefinition;
  report({
    code: "decorator_invalid",
    severity: "error",
    message: `\`effects\` of @tool cannot be ${JSON.stringify(effects).slice(0, 80)}.`,
    fix: `Write "pure", "read", "write", or an object whose members are true or false: ${FLAGS.join(", ")}.`,
    node,
  });
  return {};
}

function invalidTag({ name, text, node }: DocTag, wanted: string): Parameters<Report>[0] {
  return {
    code: "tag_invalid",
    severity: "error",
    message: `@${name} cannot be ${JSON.stringify(text.slice(0, 80))}.`,
    fix: `Write @${name} and ${wanted}.`,
    node,
  };
}

function withoutEffects(node: Candidate["node"]): Parameters<Report>[0] {
  return {
    code: "effects_missing",
    severity: "warning",
    message:
      "Nothing says what a call does to the world: unknown effects count as destructive and open-world, and every call is asked about.",
    fix: "Write @effects pure, @effects read or @effects write in the comment.",
    node,
  };
}
