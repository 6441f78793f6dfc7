import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { createDocReader } from "../docs/create-doc-reader.ts";
import { locateConstraints, readConstraints, type Report } from "../docs/read-constraints.ts";
import type { ParameterDoc } from "../docs/read-doc.ts";
import { closeSchema } from "../schema/close-schema.ts";
import { createDefinitions, type Definitions } from "../schema/definitions.ts";
import { admitsUndefined } from "../schema/nullable.ts";
import type { SchemaContext, SymbolDocs } from "../schema/schema-context.ts";
import { laySchema, toSchema } from "../schema/to-schema.ts";
import { listParameters, type CallParameter } from "./call-parameters.ts";
import type { Candidate } from "./candidate.ts";
import type { Compilation } from "./compilation.ts";
import { nameParameters } from "./name-parameters.ts";
import { isOneObject } from "./one-object.ts";
import { inlineRoot, listMemberNames, overlaySchema } from "./overlay-schema.ts";
import { readBindingDefaults, readObjectDefaults, toDefault, type CodeDefault } from "./parameter-defaults.ts";
import { reportUndescribed } from "./report-undescribed.ts";
import { toParameterPath } from "./parameter-path.ts";

/** What a call of a tool gives its function, and how. */
export interface ToolInput {
  readonly schema: JsonSchema;
  /** In the order of the function's parameters; absent when it takes one object. */
  readonly parameters?: readonly string[];
  readonly rest?: true;
  readonly dates: readonly string[];
}

/** What reading the parts of one tool needs. */
export interface ToolReading {
  readonly compilation: Compilation;
  readonly report: Report;
}

/** Makes the input schema of a function of its parameters and what is documented of them. */
export function readInput(candidate: Candidate, reading: ToolReading): ToolInput {
  const { compilation } = reading;
  const { checker } = compilation;
  let isRefused = false;
  const report: Report = (remark) => {
    isRefused ||= remark.severity === "error";
    reading.report(remark);
  };
  const parameters = listParameters(candidate.signature, compilation, report);
  const dates: string[] = [];
  const docs = createDocReader(checker, report);
  const context: SchemaContext = { checker, direction: "input", docs, report, dates, definitions: createDefinitions() };
  const order = candidate.decorator?.values["parameters"];
  const [only] = parameters;
  const isObject = parameters.length === 1 && only !== undefined && order === undefined && isOneObject(only, checker);
  const input = isObject ? readObject(only, context) : readPositional(parameters, candidate, context);
  const documented = addDocs(input, { candidate, parameters, context, isRefused });
  const schema = asArguments(inlineRoot(closeSchema(addDefaults(documented, input.defaults, context), context)));
  if (!isRefused) reportUndescribed(schema, { parameters, names: input.names, context });
  return {
    schema,
    dates,
    ...(input.names !== undefined && { parameters: input.names }),
    ...(input.names !== undefined && parameters.at(-1)?.isRest === true && { rest: true as const }),
  };
}

interface ReadInput {
  /** As `toSchema` made it. */
  readonly schema: JsonSchema;
  readonly names?: readonly string[];
  readonly defaults: readonly CodeDefault[];
}

/** The properties of the one parameter are the arguments. */
function readObject({ type, node, declaration }: CallParameter, context: SchemaContext): ReadInput {
  const { checker } = context;
  const defaults = [
    ...readObjectDefaults(declaration?.initializer, checker),
    ...(declaration === undefined ? [] : readBindingDefaults(declaration.name, checker)),
  ];
  return { schema: toSchema(checker.getNonNullableType(type), node, context), defaults };
}

/** Each parameter is an argument. */
function readPositional(parameters: readonly CallParameter[], candidate: Candidate, context: SchemaContext): ReadInput {
  const names = nameParameters(parameters, candidate, context.report);
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const name = names[index] ?? parameter.symbol.name;
    const own = context.docs.describe(parameter.symbol);
    properties.push([name, toSchema(parameter.type, parameter.node, { ...context, path: [name], own })]);
    if (!parameter.isOptional && !parameter.isRest && !admitsUndefined(parameter.type)) required.push(name);
  }
  const schema: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  const defaults = parameters.flatMap(({ declaration }, index) =>
    declaration?.initializer === undefined
      ? []
      : [toDefault([names[index] ?? ""], declaration.initializer, context.checker)],
  );
  return { schema, names, defaults };
}

/** A union of objects is an object, and arguments are one. */
function asArguments(schema: JsonSchema): JsonSchema {
  return schema.type === "object" ? schema : { type: "object", ...schema };
}

/** What the code does without a value; members come before what holds them, whose default is judged by them. */
function addDefaults(schema: JsonSchema, defaults: readonly CodeDefault[], context: SchemaContext): JsonSchema {
  const inner = defaults.toSorted((a, b) => b.path.length - a.path.length);
  return inner.reduce((current, { path, node, value }) => {
    const docs = { constraints: value === undefined ? {} : { default: value } };
    const change = (member: JsonSchema): JsonSchema => laySchema(member, docs, { at: node, path, context });
    return overlaySchema(current, { path, change, isOptional: true }, context.definitions) ?? current;
  }, schema);
}

interface Documented {
  readonly candidate: Candidate;
  readonly parameters: readonly CallParameter[];
  readonly context: SchemaContext;
  /** What was refused has no members, so that nothing can be said of names. */
  readonly isRefused: boolean;
}

function addDocs({ schema, names }: ReadInput, documented: Documented): JsonSchema {
  const { candidate, parameters, context, isRefused } = documented;
  const { report, definitions } = context;
  let current = schema;
  for (const doc of candidate.doc?.parameters ?? []) {
    const path = toParameterPath(doc.path, { schema: current, names, parameters, definitions });
    if (path === "other") continue;
    const change = (member: JsonSchema): JsonSchema =>
      laySchema(member, docsOf(doc, report), { at: doc.node, path: path ?? [], context });
    const changed = path && overlaySchema(current, { path, change }, definitions);
    if (changed !== undefined) current = changed;
    else if (!isRefused) report(unknownParameter(doc, current, definitions));
  }
  const described = candidate.decorator?.values["parameterDescriptions"] ?? {};
  for (const [name, text] of Object.entries(described)) {
    const change = (member: JsonSchema): JsonSchema => ({ ...member, description: String(text) });
    const changed = overlaySchema(current, { path: [name], change }, definitions);
    if (changed !== undefined) current = changed;
    else if (!isRefused) report(unknownDescription(name, candidate, listMemberNames(current, definitions)));
  }
  return current;
}

function unknownDescription(
  name: string,
  { decorator, node }: Candidate,
  known: ReadonlySet<string>,
): Parameters<Report>[0] {
  return {
    code: "decorator_invalid",
    severity: "error",
    message: `\`parameterDescriptions\` of @tool describes ${JSON.stringify(name.slice(0, 80))}, which is no parameter.`,
    fix: `Describe one of: ${showNames(known)}.`,
    node: decorator?.node ?? node,
  };
}

function showNames(known: ReadonlySet<string>): string {
  return [...known].slice(0, 20).join(", ") || "none";
}

function docsOf({ text, constraints }: ParameterDoc, report: Report): SymbolDocs {
  const written = locateConstraints(constraints);
  return { constraints: readConstraints(constraints, report), written, ...(text !== "" && { description: text }) };
}

function unknownParameter(
  { path, node }: ParameterDoc,
  schema: JsonSchema,
  definitions: Definitions,
): Parameters<Report>[0] {
  const known = showNames(listMemberNames(schema, definitions));
  return {
    code: "param_unknown",
    severity: "warning",
    message: `@param ${path.join(".").slice(0, 80)} names no parameter.`,
    fix: `Name one of: ${known}; or delete the line.`,
    node: ts.isJSDocParameterTag(node) ? node.name : node,
  };
}
