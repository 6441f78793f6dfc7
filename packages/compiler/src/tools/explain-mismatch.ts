import type { Json, JsonSchema } from "@aiw/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";

/** Says where a value does not fit a schema; undefined when it does. */
export function explainMismatch(schema: JsonSchema, value: Json): string | undefined {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    validateSchema: false,
    logger: false,
    formats: fullFormats,
  });
  try {
    const check = ajv.compile(schema);
    if (check(value)) return undefined;
    const [first] = check.errors ?? [];
    const extra = first?.keyword === "additionalProperties" ? ` (${String(first.params["additionalProperty"])})` : "";
    return `${first?.instancePath || "it"} ${first?.message ?? "is wrong"}${extra}`;
  } catch (cause) {
    return `the schema cannot be used (${cause instanceof Error ? cause.message.slice(0, 200) : "it does not compile"})`;
  }
}
