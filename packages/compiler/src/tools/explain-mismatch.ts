import type { Json, JsonSchema } from "@aiw/core";
import { compileCheck } from "../schema/compile-check.ts";

/** Says where a value does not fit a schema; undefined when it does. */
export function explainMismatch(schema: JsonSchema, value: Json): string | undefined {
  try {
    const check = compileCheck(schema);
    if (check(value)) return undefined;
    const [first] = check.errors ?? [];
    const extra = first?.keyword === "additionalProperties" ? ` (${String(first.params["additionalProperty"])})` : "";
    return `${first?.instancePath || "it"} ${first?.message ?? "is wrong"}${extra}`;
  } catch (cause) {
    return `the schema cannot be used (${cause instanceof Error ? cause.message.slice(0, 200) : "it does not compile"})`;
  }
}
