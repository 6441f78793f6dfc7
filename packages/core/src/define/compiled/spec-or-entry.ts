import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { isRecord } from "../../schema/is-record.ts";

/** A spec, or an entry of a manifest, which has one. */
export type SpecOrEntry = ToolSpec | { readonly spec: ToolSpec };

/**
 * Reads the spec of a function where it stands; whether the rest of it is right is not asked here.
 * @throws AiwError `tool_definition_invalid`
 */
export function toSpec(one: SpecOrEntry): ToolSpec {
  const spec: unknown = isRecord(one) && "spec" in one ? one["spec"] : one;
  if (isRecord(spec) && spec["type"] === "function") return spec as unknown as ToolSpec;
  throw new AiwError("tool_definition_invalid", "What was given as a compiled definition is no spec of a function.", {
    fix: "Pass a spec, or an entry of the manifest that aiw build wrote.",
  });
}
