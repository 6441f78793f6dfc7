import type { JsonSchema } from "../contract/json.ts";
import { CONTRACT_VERSION, isTool, TOOL_BRAND, type Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { isStandardSchema, toJsonSchema, type ToolSchema } from "../schema/to-json-schema.ts";
import { runForeign } from "./run-foreign.ts";
import { toParse } from "./to-parse.ts";
import { toToolSpec } from "./to-tool-spec.ts";
import { withoutUndefined, type ToolFacts } from "./tool-facts.ts";

/** Names under which foreign tools keep their schema, in the order they are asked. */
const SCHEMA_KEYS = [
  "inputSchema",
  "input_schema",
  "parameters",
  "parametersSchema",
  "parameters_schema",
  "schema",
  "input",
];

/** Names under which foreign tools keep their code, in the order they are asked. */
const RUN_KEYS = ["execute", "executeImpl", "run", "invoke", "_call", "call", "handler", "func", "fn", "function"];

/** Methods that give a whole function definition. */
const DEFINITION_KEYS = ["getFunctionDefinition", "get_openrouter_tool_definition", "getOpenrouterToolDefinition"];

type Fields = Record<string, unknown>;

/** What to say of a foreign tool that it does not say itself, or says otherwise. */
export interface AdaptedFacts extends Partial<ToolFacts> {
  /** The JSON Schema to offer when the library behind the tool's own schema cannot give one. */
  readonly inputSchema?: JsonSchema;
}

/**
 * Makes a tool of any object or class with a name, a description, a schema and a run function; `facts` add or replace.
 * The run function gets the arguments and the context; a flat `{ success, error, … }` it returns is understood, and of a
 * generator the text it yields is streamed, and the last yield is the output when nothing is returned. A tool stays as it is.
 * @throws AiwError `tool_definition_invalid`, naming what is missing, or `schema_not_convertible`.
 */
export function adaptTool(legacy: unknown, { inputSchema, ...facts }: AdaptedFacts = {}): Tool {
  if (isTool(legacy)) return legacy;
  const source = toFields(legacy);
  const definition = definitionOf(source);
  const schema = schemaOf(source, definition);
  const run = runOf(source, definition);
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    spec: toToolSpec({
      facts: named({ ...factsOf(source, definition), ...facts }),
      inputSchema: inputSchema ?? (schema && toJsonSchema(schema, "input")),
      assess: false,
    }),
    ...(schema && isStandardSchema(schema) && { parseInput: toParse(schema) }),
    execute: (input: unknown, context: ToolContext<unknown>) => runForeign(run.bind(source), input, context),
  });
}

/** Tools of the AI SDK have their name in the record that holds them. */
function named(facts: Fields): ToolFacts {
  if (facts["name"] === undefined)
    throw invalid("the tool has no name", 'Pass one: adaptTool(tool, { name: "get_weather" }).');
  return facts as unknown as ToolFacts;
}

function toFields(legacy: unknown): Fields {
  if (typeof legacy === "function" && /^class\b/.test(Function.prototype.toString.call(legacy))) {
    return construct(legacy);
  }
  if (typeof legacy === "function")
    return Object.assign(Object.create({ name: legacy.name, execute: legacy }) as Fields, legacy);
  if (typeof legacy === "object" && legacy !== null) return legacy as Fields;
  throw invalid("a foreign tool is an object, a class or a function", "Pass the tool itself.");
}

function construct(legacy: Function): Fields {
  try {
    return Reflect.construct(legacy, []) as Fields;
  } catch (cause) {
    throw invalid(
      `new ${legacy.name || "class"}() fails: ${String(cause)}`,
      "Pass an instance instead of the class.",
      cause,
    );
  }
}

function definitionOf(source: Fields): Fields {
  for (const key of DEFINITION_KEYS) {
    const method = source[key];
    if (typeof method !== "function") continue;
    const definition: unknown = method.call(source);
    if (isFields(definition)) return isFields(definition["function"]) ? definition["function"] : definition;
  }
  return isFields(source["function"]) ? source["function"] : {};
}

function factsOf(source: Fields, definition: Fields): Fields {
  const { name, title, description, category, tags, requiresConfirmation, suppressExecutionAnimation } = source;
  return withoutUndefined({
    name: name ?? definition["name"],
    title: typeof title === "string" ? title : undefined,
    description: description ?? definition["description"],
    category: typeof category === "string" ? category : undefined,
    tags: Array.isArray(tags) ? tags.map(String) : undefined,
    requiresApproval: requiresConfirmation === true ? true : undefined,
    display: suppressExecutionAnimation === true ? { suppressExecutionAnimation: true } : undefined,
  });
}

function schemaOf(source: Fields, definition: Fields): ToolSchema | undefined {
  for (const holder of [source, definition]) {
    for (const key of SCHEMA_KEYS) {
      const schema = holder[key];
      if ((typeof schema === "object" && schema !== null) || typeof schema === "function") return unwrap(schema);
    }
  }
  return undefined;
}

/** Some frameworks wrap JSON Schema in an object of their own. */
function unwrap(schema: object): ToolSchema {
  if ("~standard" in schema) return schema as ToolSchema;
  return "jsonSchema" in schema && isFields(schema.jsonSchema)
    ? (schema.jsonSchema as JsonSchema)
    : (schema as JsonSchema);
}

function runOf(source: Fields, definition: Fields): (...args: unknown[]) => unknown {
  for (const holder of [source, definition]) {
    for (const key of RUN_KEYS) {
      const run = holder[key];
      if (typeof run === "function") return run as (...args: unknown[]) => unknown;
    }
  }
  const name = JSON.stringify(source["name"] ?? definition["name"] ?? "the tool");
  throw invalid(`${name} has no function to run`, `Give it one of: ${RUN_KEYS.join(", ")}.`);
}

function invalid(message: string, fix: string, cause?: unknown): AiwError {
  return new AiwError("tool_definition_invalid", `Cannot adapt: ${message}.`, { fix, cause });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
