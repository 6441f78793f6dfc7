import { findUndescribed, type JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import type { Report } from "../docs/read-constraints.ts";
import type { SchemaContext } from "../schema/schema-context.ts";
import { showPath } from "../schema/walk.ts";
import type { CallParameter } from "./call-parameters.ts";

/** A function whose input schema is whole. */
export interface DescribedInput {
  readonly parameters: readonly CallParameter[];
  /** Absent when it takes one object. */
  readonly names: readonly string[] | undefined;
  readonly context: SchemaContext;
}

/** Says of each parameter and member that a model is told nothing of it, where it is declared. */
export function reportUndescribed(schema: JsonSchema, { parameters, names, context }: DescribedInput): void {
  const places = toPlaces(parameters, names, context);
  const reported = new Set<ts.Node>();
  const members = new Set<string>();
  for (const name of findUndescribed(schema)) {
    const own = places.get(toKey(name));
    const node = own ?? nearest(name, places) ?? parameters[0]?.node;
    const member = /[^.]*$/.exec(name)?.[0] ?? name;
    // A type that is used twice is to be described once; its members were met where it was used first.
    if (node === undefined || (own === undefined ? members.has(member) : reported.has(own))) continue;
    reported.add(node);
    members.add(member);
    const parameter = toParameter(name, parameters, names);
    context.report(undescribed(name, { node, isDeclared: own !== undefined, parameter }));
  }
}

function toPlaces(
  parameters: readonly CallParameter[],
  names: readonly string[] | undefined,
  { definitions }: SchemaContext,
): ReadonlyMap<string, ts.Node> {
  const own = (names ?? []).flatMap((name, index): [string, ts.Node][] => {
    const node = parameters[index]?.node;
    return node === undefined ? [] : [[name, node]];
  });
  const members = definitions.declared.map(({ path, node }): [string, ts.Node] => [showPath(path), node]);
  // A type that several members have was met first at the first of them.
  return new Map([...members, ...own].toReversed().map(([name, node]) => [toKey(name), node]));
}

/** Items and members without a name, however they are written. */
function toKey(name: string): string {
  return name.replaceAll(/\.\*|\[\d*\]/g, "[]");
}

/** The declaration of what holds it. */
function nearest(name: string, places: ReadonlyMap<string, ts.Node>): ts.Node | undefined {
  const key = toKey(name);
  const end = key.search(/(?:\.[^.]*|\[\])$/);
  return end <= 0 ? undefined : (places.get(key.slice(0, end)) ?? nearest(key.slice(0, end), places));
}

/** The line that would describe it; nothing for members without a name, of which none can speak. */
function toParameter(
  name: string,
  [first]: readonly CallParameter[],
  names: readonly string[] | undefined,
): string | undefined {
  if (name.includes(".*")) return undefined;
  if (names !== undefined || first === undefined) return name;
  const isNamed = first.declaration === undefined || ts.isIdentifier(first.declaration.name);
  return `${isNamed ? first.symbol.name : "options"}.${name}`;
}

interface Undescribed {
  readonly node: ts.Node;
  readonly isDeclared: boolean;
  readonly parameter: string | undefined;
}

function undescribed(name: string, { node, isDeclared, parameter }: Undescribed): Parameters<Report>[0] {
  const isMember = isDeclared && !ts.isParameter(node) && !ts.isJSDocParameterTag(node);
  const ways = [
    ...(isMember ? ["a comment /** What it is. */ above it"] : []),
    ...(parameter === undefined ? [] : [`a line @param ${parameter} - What it is. in the comment of the function`]),
  ];
  return {
    code: "parameter_undescribed",
    severity: "warning",
    message: `Nothing tells a model what ${name.slice(0, 80)} is; aiw check does not pass it.`,
    fix:
      ways.length === 0
        ? "Write its type as an interface whose members have comments."
        : `Write ${ways.join(", or ")}.`,
    node,
  };
}
