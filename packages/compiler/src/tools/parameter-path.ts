import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import type { Definitions } from "../schema/definitions.ts";
import type { CallParameter } from "./call-parameters.ts";
import { listMemberNames } from "./overlay-schema.ts";

/** The arguments that a `@param` may speak of. */
export interface KnownArguments {
  readonly schema: JsonSchema;
  /** Absent when the function takes one object. */
  readonly names: readonly string[] | undefined;
  readonly parameters: readonly CallParameter[];
  readonly definitions: Definitions;
}

/** Finds what a `@param` speaks of: a path in the schema, something else that is there, or undefined for nothing. */
export function toParameterPath(
  path: readonly string[],
  { schema, names, parameters, definitions }: KnownArguments,
): readonly string[] | "other" | undefined {
  const [first = ""] = path;
  if (names === undefined) return toMemberPath(path, listMemberNames(schema, definitions), parameters);
  if (names.includes(first)) return path;
  return isContextName(first, parameters) ? "other" : undefined;
}

/** The members of the one object are the arguments; the name of the object itself, if any, comes before them. */
function toMemberPath(
  path: readonly string[],
  known: ReadonlySet<string>,
  parameters: readonly CallParameter[],
): readonly string[] | "other" | undefined {
  const [first = "", ...members] = path;
  const [parameter] = parameters;
  const name = parameter?.declaration?.name;
  const isTakenApart = name !== undefined && ts.isObjectBindingPattern(name);
  if (members.length > 0 && (isTakenApart || first === parameter?.symbol.name)) return members;
  if (known.has(first)) return path;
  const isWhole = isTakenApart || first === parameter?.symbol.name;
  return isWhole || isContextName(first, parameters) ? "other" : undefined;
}

/** The ToolContext is a parameter too, and may be documented. */
function isContextName(name: string, parameters: readonly CallParameter[]): boolean {
  const siblings = parameters[0]?.declaration?.parent.parameters.at(-1)?.name;
  return (siblings !== undefined && siblings.getText() === name) || /^_?(?:context|ctx)$/.test(name);
}
