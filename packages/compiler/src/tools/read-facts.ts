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
const SHORTCUTS: ReadonlySet<unknown> = new Set(["pure", "read", "write"]);
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

/** `read`, or flags: `readOnly, openWorld=false`. */
function readEffects(doc: Doc | undefined, report: Report): EffectsDefinition | undefined {
  const tag = findTag(doc, "effects");
  if (tag === undefined) return undefined;
  const text = tag.text.trim();
  if (text === "pure" || text === "read" || text === "write") return text;
  const flags = toList(text).map((word) => /^(\w+)(?:=(true|false))?$/.exec(word) ?? []);
  const isLegal = flags.length > 0 && flags.every(([, name]) => FLAGS.some((flag) => flag === name));
  if (isLegal) return Object.fromEntries(flags.map(([, name = "", value]) => [name, value !== "false"]));
  report(
    invalidTag(
      tag,
      `pure, read, write, or of ${FLAGS.join(", ")} those that hold, and flag=false for those that do not`,
    ),
  );
  return {};
}

function checkEffects(effects: Json, node: Candidate["node"], report: Report): EffectsDefinition {
  if (SHORTCUTS.has(effects)) return effects as EffectsDefinition;
  const isLegal =
    typeof effects === "object" &&
    effects !== null &&
    Object.entries(effects).every(([name, value]) => FLAGS.some((flag) => flag === name) && typeof value === "boolean");
  if (isLegal) return effects as EffectsDefinition;
  report({
    code: "decorator_invalid",
    severity: "error",
    message: "`effects` of @tool are none.",
    fix: `Write "pure", "read", "write", or an object of ${FLAGS.join(", ")}.`,
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
