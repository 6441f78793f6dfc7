import { ToolError, type JsonObject, type Tool, type ToolSpec } from "@aiw/core";
import { readReference, readVariable, type SecretGrants } from "./environment-reference.ts";
import { invalidImplementation } from "./invalid-implementation.ts";
import { readTemplate, toText, type TemplatePart } from "./text-template.ts";

/** A value with places for arguments and for variables of the host. */
export type ValueTemplate = readonly (TemplatePart | { readonly variable: string })[];

/** What values are made of at a call. */
export interface ValueScope {
  readonly input: JsonObject;
  readonly tool: Tool;
  readonly grants: SecretGrants;
  /** Takes the variables that were read, so that nothing shows what they hold. */
  readonly secrets: Map<string, string>;
}

/** Reads a variable of the host for a value. */
export function expandVariable(name: string, { tool, grants, secrets }: ValueScope): string {
  const value = readVariable(name, tool, grants);
  secrets.set(name, value);
  return value;
}

/** Reads a text with places, a number, a boolean, `{ "$env": "NAME" }`, or a list of these that are written one after another. */
export function readValueTemplate(value: unknown, spec: ToolSpec, member: string): ValueTemplate {
  if (Array.isArray(value)) return value.flatMap((part: unknown) => readValueTemplate(part, spec, member));
  if (typeof value === "number" || typeof value === "boolean") return [{ literal: String(value) }];
  if (typeof value === "string") {
    const template = readTemplate(value, spec, member);
    if (template.some((part) => "spread" in part && part.spread)) {
      throw invalidImplementation(member, "has no room for a list: {...name} is a word of a command");
    }
    return template;
  }
  const variable = readReference(value, member);
  if (variable !== undefined) return [{ variable }];
  throw invalidImplementation(member, 'must be a text or { "$env": "NAME" }');
}

/** Puts arguments and variables in their places; undefined when an argument that has a place was not given. */
export function expandValue(template: ValueTemplate, scope: ValueScope): string | undefined {
  let text = "";
  for (const part of template) {
    const piece =
      "literal" in part
        ? part.literal
        : "variable" in part
          ? expandVariable(part.variable, scope)
          : toText(scope.input, part.parameter);
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
}

/** The same for a place that takes one value or several: a list stands for each of its items. */
export function expandValues(template: ValueTemplate, scope: ValueScope): readonly string[] {
  const [part] = template;
  if (template.length === 1 && part !== undefined && "parameter" in part) return toTexts(scope.input, part.parameter);
  const value = expandValue(template, scope);
  return value === undefined ? [] : [value];
}

/**
 * Writes an argument as texts: one, one for each item of a list, or none when it was not given.
 * @throws ToolError `invalid_input` for an object, or a list that has lists or objects.
 */
export function toTexts(input: JsonObject, parameter: string): readonly string[] {
  const value = Object.hasOwn(input, parameter) ? input[parameter] : undefined;
  if (!Array.isArray(value)) {
    const text = toText(input, parameter);
    return text === undefined ? [] : [text];
  }
  return value.map((item: unknown) => {
    if (typeof item === "string" || typeof item === "number" || typeof item === "boolean") return String(item);
    throw new ToolError(
      "invalid_input",
      `${parameter}: this tool can pass texts, numbers and booleans on, not a list of other things.`,
    );
  });
}

/** Names of the parameters a template has places for. */
export function placesOfValue(template: ValueTemplate): readonly string[] {
  return template.flatMap((part) => ("parameter" in part ? [part.parameter] : []));
}
