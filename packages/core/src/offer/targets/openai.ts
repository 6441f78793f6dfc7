import type { JsonObject } from "../../contract/json.ts";
import { isSchemaObject, listSubschemas, resolveReference, type Subschema } from "../../schema/subschemas.ts";
import type { JsonSchema } from "../../contract/json.ts";
import { flattenRoot } from "../flatten-root.ts";
import { inlineReferences } from "../inline-references.ts";
import { createLossLog } from "../loss-log.ts";
import { rewriteSchema, type KeywordRules } from "../rewrite-schema.ts";
import { DESCRIBED_KEYWORDS, DROPPED_KEYWORDS } from "./function-keywords.ts";
import type { DefinitionParts, Target } from "./target.ts";

const RULES: KeywordRules = {
  drop: new Set(DROPPED_KEYWORDS),
  describe: new Set(DESCRIBED_KEYWORDS),
  oneOfAsAnyOf: false,
  constAsEnum: false,
  stringEnumsOnly: false,
};

/** OpenAI's functions without strict mode; `strict` is always sent, since its default differs by endpoint. */
export const OPENAI: Target = {
  maxTools: 128,
  toWireSchema: (source) => {
    const log = createLossLog();
    const schema = rewriteSchema(flattenRoot(source, log), RULES, log);
    if (hasDeadReference(schema, schema)) return inlined(source);
    return { schema, losses: log.losses, rootPhrases: log.rootPhrases, restore: (input) => input };
  },
  toDefinition: toFunctionDefinition,
};

/** Shapes a definition the way OpenAI's chat endpoint and its relatives take it. */
export function toFunctionDefinition({ name, description, schema, flat }: DefinitionParts): JsonObject {
  const definition = { name, description, parameters: schema as JsonObject, strict: false };
  return flat ? { type: "function", ...definition } : { type: "function", function: definition };
}

/** A reference into what the root lost leads nowhere; then everything is written out instead. */
function hasDeadReference(root: JsonSchema, schema: Subschema): boolean {
  if (!isSchemaObject(schema)) return false;
  if (typeof schema["$ref"] === "string" && resolveReference(root, schema["$ref"]) === undefined) return true;
  return listSubschemas(schema).some((below) => hasDeadReference(root, below.schema));
}

function inlined(source: JsonSchema): ReturnType<Target["toWireSchema"]> {
  const log = createLossLog();
  const written = inlineReferences(source, log);
  if (written === undefined)
    return {
      reason: "its schema has too many parts once its references are written out",
      fix: "Keep definitions under $defs.",
    };
  const schema = rewriteSchema(flattenRoot(written, log), RULES, log);
  return { schema, losses: log.losses, rootPhrases: log.rootPhrases, restore: (input) => input };
}
