import type { JsonSchema } from "@aiw/core";
import type { ts } from "@ts-morph/common";
import type { SchemaRemark } from "../schema/schema-context.ts";
import type { DocTag } from "./read-doc.ts";
import { isConstraintTag, type ConstraintTag } from "./tag-names.ts";

/** A remark at a node, or at a place in it. */
export interface Remark extends SchemaRemark {
  /** Offset in the file; the node's beginning unless given. */
  readonly position?: number | undefined;
}

/** Receives what is wrong with one tool. */
export type Report = (remark: Remark) => void;

interface Constraint {
  readonly wanted: string;
  /** Undefined when the text is not of the form wanted. */
  read(text: string): JsonSchema | undefined;
}

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
const TYPES = ["integer", "number", "string", "boolean"];

const CONSTRAINTS: Readonly<Record<ConstraintTag, Constraint>> = {
  ...fromEntries(NUMBERS, (name) => number(name, "a number such as 1", () => true)),
  ...fromEntries(COUNTS, (name) =>
    number(name, "a whole number such as 1", (value) => Number.isInteger(value) && value >= 0),
  ),
  multipleOf: number("multipleOf", "a number above 0, such as 5", (value) => value > 0),
  pattern: { wanted: "a regular expression without flags, such as ^[a-z]+$", read: readPattern },
  format: {
    wanted: "one word such as email",
    read: (text) => (/^[a-z][a-z-]*$/.test(text) ? { format: text } : undefined),
  },
  uniqueItems: { wanted: "nothing, true or false", read: (text) => readFlag(text, "uniqueItems") },
  integer: { wanted: "nothing", read: (text) => (text === "" ? { type: "integer" } : undefined) },
  asType: { wanted: `one of ${TYPES.join(", ")}`, read: (text) => (TYPES.includes(text) ? { type: text } : undefined) },
  default: {
    wanted: 'JSON such as 3, true or "celsius"',
    read: (text) => readJson(text, (value) => ({ default: value })),
  },
  examples: {
    wanted: 'a JSON list such as ["Berlin", "Rome"]',
    read: (text) => readJson(text, (value) => (Array.isArray(value) ? { examples: value } : undefined)),
  },
};

/** Makes JSON Schema keywords of tags; a tag whose text cannot be read is reported and left out. */
export function readConstraints(tags: readonly DocTag[], report: Report): JsonSchema {
  let keywords: JsonSchema = {};
  const examples: unknown[] = [];
  for (const { name, text, node } of tags) {
    if (name === "example") examples.push(toValue(text));
    if (!isConstraintTag(name)) continue;
    const { wanted, read } = CONSTRAINTS[name];
    const found = read(unquote(text));
    if (found === undefined) {
      report({
        code: "constraint_invalid",
        severity: "error",
        message: `@${name} cannot be ${JSON.stringify(text.slice(0, 80))}.`,
        fix: `Write @${name} and ${wanted}.`,
        node,
      });
      continue;
    }
    keywords = { ...keywords, ...found };
  }
  return examples.length === 0 || "examples" in keywords ? keywords : { ...keywords, examples };
}

/** The tag of each keyword that tags give. */
export function locateConstraints(tags: readonly DocTag[]): ReadonlyMap<string, ts.Node> {
  return new Map(tags.map(({ name, node }) => [KEYWORDS.get(name) ?? name, node]));
}

/** Where a tag is called otherwise than its keyword. */
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["integer", "type"],
  ["asType", "type"],
  ["example", "examples"],
]);

function fromEntries<Name extends string>(
  names: readonly Name[],
  toConstraint: (name: Name) => Constraint,
): Record<Name, Constraint> {
  return Object.fromEntries(names.map((name) => [name, toConstraint(name)])) as Record<Name, Constraint>;
}

function number(name: string, wanted: string, isLegal: (value: number) => boolean): Constraint {
  return {
    wanted,
    read(text) {
      const value = text === "" ? Number.NaN : Number(text);
      return Number.isFinite(value) && isLegal(value) ? { [name]: value } : undefined;
    },
  };
}

/** Flags other than `u`, which holds anyway, cannot be said in a schema. */
function readPattern(text: string): JsonSchema | undefined {
  const [, source, flags] = /^\/(.+)\/([dgimsuvy]*)$/.exec(text) ?? [undefined, text, ""];
  if (flags !== "" && flags !== "u") return undefined;
  const pattern = source ?? "";
  try {
    return pattern === "" || new RegExp(pattern, "u").source === "" ? undefined : { pattern };
  } catch {
    return undefined;
  }
}

function readFlag(text: string, name: string): JsonSchema | undefined {
  return ["", "true", "false"].includes(text) ? { [name]: text !== "false" } : undefined;
}

function readJson(text: string, toKeywords: (value: unknown) => JsonSchema | undefined): JsonSchema | undefined {
  try {
    return toKeywords(JSON.parse(text.replaceAll(/^'([^'"\\]*)'$/g, '"$1"')));
  } catch {
    return undefined;
  }
}

/** Words that are no JSON are text. */
function toValue(text: string): unknown {
  const plain = unquote(text);
  try {
    return JSON.parse(plain);
  } catch {
    return plain;
  }
}

/** Backticks keep what is special in comments. */
function unquote(text: string): string {
  return /^`([^`]*)`$/.exec(text.trim())?.[1] ?? text.trim();
}
