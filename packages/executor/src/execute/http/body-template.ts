import type { Json, JsonObject, ToolSpec } from "@aiw/core";
import { readReference } from "../data/environment-reference.ts";
import { isRecord } from "../../call/is-record.ts";
import { expandTemplate, placesOf, readTemplate, toText, type TextTemplate } from "../data/text-template.ts";
import { expandVariable, type ValueScope } from "../data/value-template.ts";

/** JSON with places for arguments. */
export type BodyTemplate =
  | { readonly kind: "constant"; readonly value: Json }
  /** A text that is one place alone: the argument itself, whatever its type. */
  | { readonly kind: "argument"; readonly parameter: string }
  | { readonly kind: "text"; readonly template: TextTemplate }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly BodyTemplate[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [name: string, value: BodyTemplate])[] };

/** Reads the JSON of a spec's `body`. */
export function compileBody(value: unknown, spec: ToolSpec, member: string): BodyTemplate {
  if (typeof value === "string") return compileText(value, spec, member);
  if (Array.isArray(value)) {
    return { kind: "list", items: value.map((item: unknown, index) => compileBody(item, spec, `${member}[${index}]`)) };
  }
  if (!isRecord(value)) return { kind: "constant", value: value as Json };
  if (Object.hasOwn(value, "$env")) {
    const name = readReference(value, member);
    if (name !== undefined) return { kind: "variable", name };
  }
  const members = Object.entries(value).map(
    ([name, item]) => [name, compileBody(item, spec, `${member}.${name}`)] as const,
  );
  return { kind: "object", members };
}

function compileText(text: string, spec: ToolSpec, member: string): BodyTemplate {
  const template = readTemplate(text, spec, member);
  const [part] = template;
  if (template.length === 1 && part !== undefined && "parameter" in part)
    return { kind: "argument", parameter: part.parameter };
  return { kind: "text", template };
}

/** Puts arguments in their places; members and items of arguments that were not given are left out. */
export function expandBody(template: BodyTemplate, scope: ValueScope): Json | undefined {
  switch (template.kind) {
    case "constant":
      return template.value;
    case "argument":
      return Object.hasOwn(scope.input, template.parameter) ? scope.input[template.parameter] : undefined;
    case "text":
      return expandTemplate(template.template, (parameter) => toText(scope.input, parameter));
    case "variable":
      return expandVariable(template.name, scope);
    case "list":
      return template.items.flatMap((item) => {
        const value = expandBody(item, scope);
        return value === undefined ? [] : [value];
      });
    case "object":
      return Object.fromEntries(
        template.members.flatMap(([name, member]): [string, Json][] => {
          const value = expandBody(member, scope);
          return value === undefined ? [] : [[name, value]];
        }),
      ) as JsonObject;
  }
}

/** Names of the parameters a body has places for. */
export function placesOfBody(template: BodyTemplate): readonly string[] {
  switch (template.kind) {
    case "argument":
      return [template.parameter];
    case "text":
      return placesOf(template.template);
    case "list":
      return template.items.flatMap(placesOfBody);
    case "object":
      return template.members.flatMap(([, member]) => placesOfBody(member));
    case "constant":
    case "variable":
      return [];
  }
}
