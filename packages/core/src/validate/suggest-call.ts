import type { JsonObject } from "../contract/json.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import { formatExampleCall } from "../schema/example-call.ts";
import { sampleInput } from "../schema/sample/sample-input.ts";

/** A call longer than this is no help in a message. */
const MAX_CALL_LENGTH = 400;

/** Suggests a call that passes the schema; nothing when none is known. */
export function suggestCall(spec: ToolSpec, compiled: CompiledSchema): string | undefined {
  try {
    const input: JsonObject = structuredClone(sampleInput(spec));
    if (!compiled.check(structuredClone(input))) return undefined;
    const call = formatExampleCall(spec, input);
    return call.length > MAX_CALL_LENGTH ? undefined : `Call it like this: ${call}`;
  } catch {
    return undefined;
  }
}
