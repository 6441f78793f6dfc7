import { flattenRoot } from "../flatten-root.ts";
import { inlineReferences } from "../inline-references.ts";
import { createLossLog } from "../loss-log.ts";
import { renameMembers } from "../rename-members.ts";
import { rewriteSchema, type KeywordRules } from "../rewrite-schema.ts";
import { DESCRIBED_KEYWORDS, DROPPED_KEYWORDS } from "./function-keywords.ts";
import { toFunctionDefinition } from "./openai.ts";
import type { Target } from "./target.ts";

const RULES: KeywordRules = {
  drop: new Set(DROPPED_KEYWORDS),
  describe: new Set([
    ...DESCRIBED_KEYWORDS,
    "patternProperties",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "format",
    "default",
    "examples",
  ]),
  oneOfAsAnyOf: true,
  constAsEnum: true,
  stringEnumsOnly: true,
};

/** OpenRouter's functions: plain enough for every vendor behind it. */
export const OPENROUTER: Target = {
  maxTools: 128,
  toWireSchema: (source) => {
    const log = createLossLog();
    const written = inlineReferences(source, log);
    if (written === undefined) {
      return {
        reason: "its schema has more than 5000 parts once its references are written out",
        fix: "Repeat large definitions less often.",
      };
    }
    const { schema, restore } = renameMembers(rewriteSchema(flattenRoot(written, log), RULES, log));
    return { schema, losses: log.losses, rootPhrases: log.rootPhrases, restore };
  },
  toDefinition: toFunctionDefinition,
};
