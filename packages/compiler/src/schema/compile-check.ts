import { runInNewContext } from "node:vm";
import type { JsonSchema } from "@aiw/core";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";

/** A text that is matched in milliseconds never needs it; a pattern that backtracks without end would need years. */
const MATCH_TIMEOUT_MS = 1000;

/** Compiles the check of what an author wrote: defaults and examples. @throws for a schema that does not compile. */
export function compileCheck(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    validateSchema: false,
    logger: false,
    formats: fullFormats,
    code: { regExp: Object.assign(toBoundedPattern, { code: "toBoundedPattern" }) },
  });
  return ajv.compile(schema);
}

/** A source may come from a stranger: its patterns do not hold a build up; one that takes too long matches nothing. */
function toBoundedPattern(pattern: string, flags: string): { test(text: string): boolean } {
  const { source } = new RegExp(pattern, flags);
  return {
    test(text) {
      try {
        const found: unknown = runInNewContext(
          "new RegExp(source, flags).test(text)",
          { source, flags, text },
          { timeout: MATCH_TIMEOUT_MS },
        );
        return found === true;
      } catch {
        return false;
      }
    },
  };
}
