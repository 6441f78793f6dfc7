import type { JsonSchema } from "../contract/json.ts";
import { toConstraintPhrase } from "../schema/describe-schema.ts";
import { toPointer } from "../schema/json-pointer.ts";
import { asJson } from "../schema/subschemas.ts";
import type { Loss } from "./targets/target.ts";

/** Where a schema stands within the root, as segments of a JSON pointer. */
export type SchemaPath = readonly string[];

/** Keeps what a schema loses while it is rewritten. */
export interface LossLog {
  readonly losses: Loss[];
  /** What the root lost, in words. */
  readonly rootPhrases: string[];
}

/** A keyword that is left out, and how its meaning is said instead of in the fixed form. */
export interface LostKeyword {
  readonly keyword: string;
  readonly value: unknown;
  readonly words?: string;
}

/** Starts with nothing lost. */
export function createLossLog(): LossLog {
  return { losses: [], rootPhrases: [] };
}

/** Notes that a schema at `path` lost a keyword, and gives the words for its description. */
export function logLoss(
  log: LossLog,
  path: SchemaPath,
  { keyword, value, words = toConstraintPhrase(keyword, value) }: LostKeyword,
): string {
  log.losses.push({ pointer: toPointer([...path, keyword]), keyword, value: asJson(value), kept: "description" });
  if (path.length === 0) log.rootPhrases.push(words);
  return words;
}

/** Adds phrases to a schema's description in the one fixed form: `[min 1; format uri]`. */
export function describe(schema: JsonSchema, path: SchemaPath, phrases: readonly string[]): JsonSchema {
  if (phrases.length === 0 || path.length === 0) return schema;
  const said = `[${phrases.join("; ")}]`;
  const { description } = schema;
  return {
    ...schema,
    description: typeof description === "string" && description !== "" ? `${description} ${said}` : said,
  };
}
