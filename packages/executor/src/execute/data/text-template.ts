import { ToolError, type JsonObject, type ToolSpec } from "@aiw/core";
import { invalidImplementation } from "./invalid-implementation.ts";

/** A text with places for arguments. */
export type TextTemplate = readonly TemplatePart[];

/** Text as it is, or the place of a parameter; `spread` takes each item of a list. */
export type TemplatePart = { readonly literal: string } | { readonly parameter: string; readonly spread: boolean };

const PLACE = /\{(?<dots>\.\.\.)?(?<name>[A-Za-z_][A-Za-z0-9_-]*)\}/g;

/**
 * Reads `{name}` as the place of a parameter; other braces are text.
 * @throws ToolError `implementation_invalid` for a parameter that the input schema does not have.
 */
export function readTemplate(text: string, spec: ToolSpec, member: string): TextTemplate {
  const known = parametersOf(spec);
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    if (match.index > end) parts.push({ literal: text.slice(end, match.index) });
    const { name = "", dots } = match.groups ?? {};
    if (!known.has(name)) {
      throw invalidImplementation(
        member,
        `has a place for ${JSON.stringify(name)}, which the input schema does not have`,
      );
    }
    parts.push({ parameter: name, spread: dots !== undefined });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ literal: text.slice(end) });
  return parts;
}

/** Parameters of a spec, by name. */
export function parametersOf({ inputSchema }: ToolSpec): ReadonlySet<string> {
  const { properties } = inputSchema as { readonly properties?: unknown };
  return new Set(typeof properties === "object" && properties !== null ? Object.keys(properties) : []);
}

/** Names of the parameters a template has places for. */
export function placesOf(template: TextTemplate): string[] {
  return template.flatMap((part) => ("parameter" in part ? [part.parameter] : []));
}

/**
 * Writes an argument as text; undefined when it was not given.
 * @throws ToolError `invalid_input` for a list or an object, which has no one spelling.
 */
export function toText(input: JsonObject, parameter: string): string | undefined {
  const value = Object.hasOwn(input, parameter) ? input[parameter] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object") {
    throw new ToolError(
      "invalid_input",
      `${parameter}: this tool can pass a text, number or boolean on, not a list or object.`,
    );
  }
  return String(value);
}

/** Puts arguments in their places; undefined when one that has a place was not given. */
export function expandTemplate(
  template: TextTemplate,
  write: (parameter: string) => string | undefined,
): string | undefined {
  let text = "";
  for (const part of template) {
    const piece = "literal" in part ? part.literal : write(part.parameter);
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
}
