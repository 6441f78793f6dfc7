import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { createDocReader } from "../docs/create-doc-reader.ts";
import { readConstraints, type Report } from "../docs/read-constraints.ts";
import type { ParameterDoc } from "../docs/read-doc.ts";
import { closeSchema } from "../schema/close-schema.ts";
import { createDefinitions } from "../schema/definitions.ts";
import { admitsUndefined } from "../schema/nullable.ts";
import type { SchemaContext } from "../schema/schema-context.ts";
import { toSchema } from "../schema/to-schema.ts";
import { listParameters, type CallParameter } from "./call-parameters.ts";
import type { Candidate } from "./candidate.ts";
import { checkDefaults } from "./check-defaults.ts";
import type { Compilation } from "./compilation.ts";
import { nameParameters } from "./name-parameters.ts";
import { isOneObject } from "./one-object.ts";
import { inlineRoot, overlaySchema, type Overlay } from "./overlay-schema.ts";
import { readBindingDefaults, readObjectDefaults, toDefault } from "./parameter-defaults.ts";
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
  const { compilation, report } = reading;
  const { checker } = compilation;
  const parameters = listParameters(candidate.signature, compilation, report);
  const dates: string[] = [];
  const docs = createDocReader(checker, report);
  const context: SchemaContext = { checker, direction: "input", docs, report, dates, definitions: createDefinitions() };
  const order = candidate.decorator?.values["parameters"];
  const [only] = parameters;
  const isObject = parameters.length === 1 && only !== undefined && order === undefined && isOneObject(only, checker);
  const input = isObject ? readObject(only, context) : readPositional(parameters, candidate, context);
  const schema = addDocs(input, { candidate, parameters, report });
  checkDefaults(schema, candidate, report);
  return {
    schema,
    dates,
    ...(input.names !== undefined && { parameters: input.names }),
    ...(input.names !== undefined && parameters.at(-1)?.isRest === true && { rest: true as const }),
  };
}

interface ReadInput {
  readonly schema: JsonSchema;
  readonly names?: readonly string[];
}

/** The properties of the one parameter are the arguments. */
function readObject({ type, node, declaration }: CallParameter, context: SchemaContext): ReadInput {
  const { checker } = context;
  const made = inlineRoot(closeSchema(toSchema(checker.getNonNullableType(type), node, context), context));
  const overlays = [
    ...readObjectDefaults(declaration?.initializer, checker),
    ...(declaration === undefined ? [] : readBindingDefaults(declaration.name, checker)),
  ];
  return { schema: asArguments(applyAll(made, overlays)) };
}

/** Each parameter is an argument. */
function readPositional(parameters: readonly CallParameter[], candidate: Candidate, context: SchemaContext): ReadInput {
  const names = nameParameters(parameters, candidate, context.report);
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const name = names[index] ?? parameter.symbol.name;
    const schema = toSchema(parameter.type, parameter.node, { ...context, path: [name] });
    properties.push([name, { ...schema, ...keywordsOf(parameter, context) }]);
    if (!parameter.isOptional && !parameter.isRest && !admitsUndefined(parameter.type)) required.push(name);
  }
  const root: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  const overlays = parameters.flatMap(({ declaration }, index) =>
    declaration?.initializer === undefined
      ? []
      : [toDefault([names[index] ?? ""], declaration.initializer, context.checker)],
  );
  return { schema: applyAll(closeSchema(root, context), overlays), names };
}

/** What a comment at the parameter itself says. */
function keywordsOf({ symbol }: CallParameter, { docs }: SchemaContext): JsonSchema {
  const { description, constraints } = docs.describe(symbol);
  return { ...constraints, ...(description !== undefined && { description }) };
}

/** A union of objects is an object, and arguments are one. */
function asArguments(schema: JsonSchema): JsonSchema {
  return schema.type === "object" ? schema : { type: "object", ...schema };
}

function applyAll(schema: JsonSchema, overlays: readonly Overlay[]): JsonSchema {
  return overlays.reduce((current, overlay) => overlaySchema(current, overlay) ?? current, schema);
}

interface Documented {
  readonly candidate: Candidate;
  readonly parameters: readonly CallParameter[];
  readonly report: Report;
}

function addDocs({ schema, names }: ReadInput, { candidate, parameters, report }: Documented): JsonSchema {
  let current = schema;
  for (const doc of candidate.doc?.parameters ?? []) {
    const path = toParameterPath(doc.path, { schema: current, names, parameters });
    if (path === "other") continue;
    const changed = path && overlaySchema(current, { path, keywords: keywordsOfDoc(doc, report) });
    if (changed === undefined) report(unknownParameter(doc, current));
    else current = changed;
  }
  const described = candidate.decorator?.values["parameterDescriptions"] ?? {};
  for (const [name, text] of Object.entries(described)) {
    current = overlaySchema(current, { path: [name], keywords: { description: String(text) } }) ?? current;
  }
  return current;
}

function keywordsOfDoc({ text, constraints }: ParameterDoc, report: Report): JsonSchema {
  return { ...readConstraints(constraints, report), ...(text !== "" && { description: text }) };
}

function unknownParameter({ path, node }: ParameterDoc, schema: JsonSchema): Parameters<Report>[0] {
  const known =
    Object.keys(schema.properties ?? {})
      .slice(0, 20)
      .join(", ") || "none";
  return {
    code: "param_unknown",
    severity: "warning",
    message: `@param ${path.join(".").slice(0, 80)} names no parameter.`,
    fix: `Name one of: ${known}; or delete the line.`,
    node: ts.isJSDocParameterTag(node) ? node.name : node,
  };
}
