import type { ToolEffects } from "../contract/tool-spec.ts";

/** `pure` computes from its arguments, `read` looks, `write` may overwrite or delete; flags left out take the unsafe value. */
export type EffectsDefinition = "pure" | "read" | "write" | Partial<ToolEffects>;

/** Spells an effects shortcut out; what is not said counts as destructive and open-world. */
export function toEffects(definition: EffectsDefinition = {}): ToolEffects {
  if (definition === "pure" || definition === "read") {
    return { readOnly: true, destructive: false, idempotent: true, openWorld: false };
  }
  if (definition === "write") {
    return { readOnly: false, destructive: true, idempotent: false, openWorld: false };
  }
  const { readOnly = false, destructive = !readOnly, idempotent = readOnly, openWorld = true } = definition;
  return { readOnly, destructive, idempotent, openWorld };
}
