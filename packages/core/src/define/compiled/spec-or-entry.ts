import type { ToolSpec } from "../../contract/tool-spec.ts";

/** A spec, or an entry of a manifest, which has one. */
export type SpecOrEntry = ToolSpec | { readonly spec: ToolSpec };

/** Reads a spec where it stands. */
export function toSpec(one: SpecOrEntry): ToolSpec {
  return "spec" in one ? one.spec : one;
}
