import { MAX_DESCRIPTION_LENGTH, TOOL_NAME_PATTERN, type ToolSpec } from "../contract/tool-spec.ts";
import { checkShape } from "./check-shape.ts";
import { inspectData, toPointer, type DataBounds, type DataIssue } from "./inspect-data.ts";

/** One wrong field of a spec; `pointer` is a JSON pointer. */
export type SpecIssue = DataIssue;

const WORDS = { string: "a string", boolean: "true or false", object: "an object" };

const METADATA_TYPES = {
  version: "string",
  category: "string",
  requiresApproval: "boolean",
  assess: "boolean",
  display: "object",
  custom: "object",
} as const;

const EFFECT_FLAGS = ["readOnly", "destructive", "idempotent", "openWorld"];

/** Texts of a schema and its descriptions; levels a spec may nest. */
const BOUNDS: DataBounds = { characters: 256 * 1024, depth: 64 };

/** Checks what anyone claims to be a spec; an empty list means that it is one. */
export function validateSpec(value: unknown): SpecIssue[] {
  if (!isRecord(value)) return [{ pointer: "", message: "must be an object" }];
  const dataIssues = inspectData(value, BOUNDS);
  if (dataIssues.some(({ pointer }) => pointer === "")) return dataIssues;
  return [
    ...nameIssues(value["name"]),
    ...textIssues(value),
    ...typeIssues(value["type"]),
    ...schemaIssues(value["inputSchema"], "/inputSchema"),
    ...(value["outputSchema"] === undefined ? [] : jsonSchemaIssues(value["outputSchema"], "/outputSchema")),
    ...instructionIssues(value),
    ...metadataIssues(value["metadata"]),
    ...dataIssues,
  ];
}

/** True for a whole, legal spec. */
export function isToolSpec(value: unknown): value is ToolSpec {
  return validateSpec(value).length === 0;
}

function nameIssues(name: unknown): SpecIssue[] {
  if (typeof name === "string" && TOOL_NAME_PATTERN.test(name)) return [];
  return [{ pointer: "/name", message: "must match ^[a-zA-Z_][a-zA-Z0-9_]{0,63}$" }];
}

function textIssues({ title, description }: Record<string, unknown>): SpecIssue[] {
  const issues: SpecIssue[] = [];
  if (title !== undefined && typeof title !== "string") issues.push({ pointer: "/title", message: "must be a string" });
  if (typeof description !== "string" || description.trim() === "") {
    issues.push({ pointer: "/description", message: "must say what the tool does" });
  } else if (description.length > MAX_DESCRIPTION_LENGTH) {
    issues.push({
      pointer: "/description",
      message: `must have at most ${MAX_DESCRIPTION_LENGTH} characters, has ${description.length}; move detail to the parameters`,
    });
  }
  return issues;
}

function typeIssues(type: unknown): SpecIssue[] {
  return typeof type === "string" && type !== ""
    ? []
    : [{ pointer: "/type", message: 'must name an executor, such as "function"' }];
}

function schemaIssues(schema: unknown, pointer: string): SpecIssue[] {
  const issues = jsonSchemaIssues(schema, pointer);
  if (issues.length > 0 || !isRecord(schema)) return issues;
  return schema["type"] === "object"
    ? []
    : [{ pointer: `${pointer}/type`, message: 'must be "object": arguments have names' }];
}

function jsonSchemaIssues(schema: unknown, pointer: string): SpecIssue[] {
  if (!isRecord(schema)) return [{ pointer, message: "must be a JSON Schema object" }];
  const issues: SpecIssue[] = [];
  collectRemoteReferences(schema, [pointer.slice(1)], issues);
  return [...issues, ...checkShape(schema, [pointer.slice(1)])];
}

/** References leave the document only over the network, which is never asked (SEC-NET-9). */
function collectRemoteReferences(node: object, path: string[], issues: SpecIssue[]): void {
  for (const [key, member] of Object.entries(node)) {
    path.push(key);
    if (key === "$ref" && typeof member === "string" && !member.startsWith("#")) {
      issues.push({
        pointer: toPointer(path),
        message: `must be local ("#/$defs/…"), is ${JSON.stringify(member.slice(0, 80))}`,
      });
    }
    if (typeof member === "object" && member !== null) collectRemoteReferences(member, path, issues);
    path.pop();
  }
}

function instructionIssues({ name, instructions }: Record<string, unknown>): SpecIssue[] {
  if (instructions === undefined) return [];
  if (!isRecord(instructions)) return [{ pointer: "/instructions", message: "must be an object" }];
  const { examples = [], text } = instructions;
  const issues = typeIssuesOf(instructions, "/instructions", { purpose: "string", expectedOutput: "string" });
  if (!Array.isArray(examples) || !examples.every(isExample)) {
    issues.push({ pointer: "/instructions/examples", message: "must be a list of { need?, when, input }" });
  }
  if (
    text !== undefined &&
    !(typeof text === "string" && typeof name === "string" && text.split("\n", 1)[0]?.includes(name) === true)
  ) {
    issues.push({ pointer: "/instructions/text", message: "must name the tool in its first line" });
  }
  return issues;
}

function isExample(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["when"] === "string" &&
    isRecord(value["input"]) &&
    (value["need"] === undefined || typeof value["need"] === "string")
  );
}

function metadataIssues(metadata: unknown): SpecIssue[] {
  if (!isRecord(metadata)) return [{ pointer: "/metadata", message: "must be an object" }];
  const { effects, timeoutMs } = metadata;
  const issues = typeIssuesOf(metadata, "/metadata", METADATA_TYPES);
  if (!isRecord(effects) || !EFFECT_FLAGS.every((flag) => typeof effects[flag] === "boolean")) {
    issues.push({ pointer: "/metadata/effects", message: `must have the flags ${EFFECT_FLAGS.join(", ")}` });
  }
  for (const list of ["tags", "permissions"]) {
    if (!isTextList(metadata[list]))
      issues.push({ pointer: `/metadata/${list}`, message: "must be a list of strings" });
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
    issues.push({ pointer: "/metadata/timeoutMs", message: "must be a number of milliseconds above 0" });
  }
  return issues;
}

/** Absent is fine. */
function typeIssuesOf(
  value: Record<string, unknown>,
  pointer: string,
  types: { readonly [name: string]: keyof typeof WORDS },
): SpecIssue[] {
  return Object.entries(types).flatMap(([name, type]) => {
    const member = value[name];
    if (member === undefined || (type === "object" ? isRecord(member) : typeof member === type)) return [];
    return [{ pointer: `${pointer}/${name}`, message: `must be ${WORDS[type]}` }];
  });
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
