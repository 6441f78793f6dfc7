import { MAX_DESCRIPTION_LENGTH, TOOL_NAME_PATTERN, type ToolSpec } from "../contract/tool-spec.ts";
import { toCanonicalJson } from "./canonical-json.ts";
import { findHiddenText } from "./hidden-text.ts";

/** One wrong field of a spec; `pointer` is a JSON pointer. */
export interface SpecIssue {
  readonly pointer: string;
  readonly message: string;
}

const EFFECT_FLAGS = ["readOnly", "destructive", "idempotent", "openWorld"];

/** Bytes of canonical JSON a spec may have. */
const MAX_SPEC_LENGTH = 256 * 1024;

/** Levels a spec may nest. */
const MAX_SPEC_DEPTH = 64;

/** Checks what anyone claims to be a spec; an empty list means that it is one. */
export function validateSpec(value: unknown): SpecIssue[] {
  if (!isRecord(value)) return [{ pointer: "", message: "must be an object" }];
  if (depthOf(value, MAX_SPEC_DEPTH) > MAX_SPEC_DEPTH) return [{ pointer: "", message: `must not nest deeper than ${MAX_SPEC_DEPTH} levels` }];
  return [
    ...nameIssues(value["name"]),
    ...textIssues(value),
    ...typeIssues(value["type"]),
    ...schemaIssues(value["inputSchema"], "/inputSchema"),
    ...(value["outputSchema"] === undefined ? [] : jsonSchemaIssues(value["outputSchema"], "/outputSchema")),
    ...instructionIssues(value),
    ...metadataIssues(value["metadata"]),
    ...serialisationIssues(value),
    ...hiddenTextIssues(value, ""),
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
  return typeof type === "string" && type !== "" ? [] : [{ pointer: "/type", message: 'must name an executor, such as "function"' }];
}

function schemaIssues(schema: unknown, pointer: string): SpecIssue[] {
  const issues = jsonSchemaIssues(schema, pointer);
  if (issues.length > 0 || !isRecord(schema)) return issues;
  return schema["type"] === "object" ? [] : [{ pointer: `${pointer}/type`, message: 'must be "object": arguments have names' }];
}

function jsonSchemaIssues(schema: unknown, pointer: string): SpecIssue[] {
  if (!isRecord(schema)) return [{ pointer, message: "must be a JSON Schema object" }];
  return remoteReferences(schema, pointer);
}

/** References leave the document only over the network, which is never asked (SEC-NET-9). */
function remoteReferences(node: unknown, pointer: string): SpecIssue[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, member]: [string, unknown]) => {
    const at = `${pointer}/${escapePointer(key)}`;
    if (key === "$ref" && typeof member === "string" && !member.startsWith("#")) {
      return [{ pointer: at, message: `must be local ("#/$defs/…"), is ${JSON.stringify(member.slice(0, 80))}` }];
    }
    return remoteReferences(member, at);
  });
}

function instructionIssues({ name, instructions }: Record<string, unknown>): SpecIssue[] {
  if (instructions === undefined) return [];
  if (!isRecord(instructions)) return [{ pointer: "/instructions", message: "must be an object" }];
  const { examples = [], text } = instructions;
  const issues: SpecIssue[] = [];
  if (!Array.isArray(examples) || !examples.every(isExample)) {
    issues.push({ pointer: "/instructions/examples", message: "must be a list of { when, input }" });
  }
  if (text !== undefined && !(typeof text === "string" && typeof name === "string" && text.split("\n", 1)[0]?.includes(name) === true)) {
    issues.push({ pointer: "/instructions/text", message: "must name the tool in its first line" });
  }
  return issues;
}

function isExample(value: unknown): boolean {
  return isRecord(value) && typeof value["when"] === "string" && isRecord(value["input"]);
}

function metadataIssues(metadata: unknown): SpecIssue[] {
  if (!isRecord(metadata)) return [{ pointer: "/metadata", message: "must be an object" }];
  const { effects, timeoutMs } = metadata;
  const issues: SpecIssue[] = [];
  if (!isRecord(effects) || !EFFECT_FLAGS.every((flag) => typeof effects[flag] === "boolean")) {
    issues.push({ pointer: "/metadata/effects", message: `must have the flags ${EFFECT_FLAGS.join(", ")}` });
  }
  for (const list of ["tags", "permissions"]) {
    if (!isTextList(metadata[list])) issues.push({ pointer: `/metadata/${list}`, message: "must be a list of strings" });
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
    issues.push({ pointer: "/metadata/timeoutMs", message: "must be a number of milliseconds above 0" });
  }
  return issues;
}

function serialisationIssues(value: object): SpecIssue[] {
  try {
    const { length } = toCanonicalJson(value);
    return length <= MAX_SPEC_LENGTH ? [] : [{ pointer: "", message: `must have at most ${MAX_SPEC_LENGTH} characters of JSON, has ${length}` }];
  } catch (error) {
    return [{ pointer: "", message: `must be JSON: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

function hiddenTextIssues(node: unknown, pointer: string): SpecIssue[] {
  if (typeof node === "string") return hiddenIssue(node, pointer);
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, member]) => {
    const at = `${pointer}/${escapePointer(key)}`;
    return [...hiddenIssue(key, at), ...hiddenTextIssues(member, at)];
  });
}

function hiddenIssue(text: string, pointer: string): SpecIssue[] {
  const [first] = findHiddenText(text);
  if (first === undefined) return [];
  return [{ pointer, message: `must not hide text from people: U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}` }];
}

function depthOf(node: unknown, limit: number): number {
  if (typeof node !== "object" || node === null || limit < 0) return 0;
  return 1 + Math.max(0, ...Object.values(node).map((member) => depthOf(member, limit - 1)));
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
