import type { z } from "zod";
import { escapeQuoted } from "./show-name.ts";

/** Spells a call as it was made, but for what is changed; what is at its default is left out. */
export function spellAgain(tool: string, schema: z.ZodObject, input: { readonly [name: string]: unknown }): string {
  const given = Object.entries(input).flatMap(([name, value]) => {
    const usual = schema.shape[name]?.safeParse(undefined) as { data?: unknown } | undefined;
    const spelled = JSON.stringify(value);
    return spelled === undefined || spelled === JSON.stringify(usual?.data) ? [] : [`${name}=${spelled}`];
  });
  return escapeQuoted(`${tool}(${given.join(", ")})`);
}
