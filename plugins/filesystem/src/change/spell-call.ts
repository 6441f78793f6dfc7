import { quoteName } from "../files/show-name.ts";

/** A value of an argument as calls are spelled. */
export type CallArgument = string | boolean | readonly string[];

/** Spells a call as a model can make it. */
export function spellCall(tool: string, values: { readonly [name: string]: CallArgument }): string {
  const given = Object.entries(values).map(([name, value]) => `${name}=${spellValue(value)}`);
  return `${tool}(${given.join(", ")})`;
}

function spellValue(value: CallArgument): string {
  if (typeof value === "string") return quoteName(value);
  return typeof value === "boolean" ? String(value) : `[${value.map(quoteName).join(", ")}]`;
}
