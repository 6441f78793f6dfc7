import { isRecord } from "./is-record.ts";
import { MAX_DESCRIPTION_LENGTH, TOOL_NAME_PATTERN, type ToolSpec } from "../contract/tool-spec.ts";
import { checkShape } from "./check-shape.ts";
import { findCompiledIssues } from "./compiled-function.ts";
import { addBelow, inspectData, type DataBounds, type DataIssue } from "./inspect-data.ts";
import { toPointer } from "./json-pointer.ts";

/** One wrong field of a spec; `pointer` is a JSON pointer. */
export type SpecIssue = DataIssue;

const WORDS = { string: "a string", boolean: "true or false", object: "an object" };

/** Names of optional members and what each must be. */
type MemberTypes = readonly (readonly [name: string, type: keyof typeof WORDS])[];

const METADATA_TYPES: MemberTypes = [
  ["version", "string"],
  ["category", "string"],
  ["requiresApproval", "boolean"],
  ["assess", "boolean"],
  ["display", "object"],
  ["custom", "object"],
];

const INSTRUCTION_TYPES: MemberTypes = [
  ["purpose", "string"],
  ["expectedOutput", "string"],
];

const TEXT_LISTS = ["tags", "permissions"];

const EFFECT_FLAGS = ["readOnly", "destructive", "idempotent", "openWorld"];

/** Texts of a schema and its descriptions; levels a spec may nest. */
const BOUNDS: DataBounds = { characters: 256 * 1024, depth: 64 };

/** What is known of a spec before it is checked. */
export interface ValidateSpecOptions {
  /** True for what was parsed from JSON that `isPlainJson`. */
  readonly isPlain?: boolean;
}

interface FoundIssues {
  readonly issues: SpecIssue[];
  readonly hasReferences: boolean;
}

/** Checks what anyone claims to be a spec; an empty list means that it is one. */
export function validateSpec(value: unknown, { isPlain = false }: ValidateSpecOptions = {}): SpecIssue[] {
  if (!isRecord(value)) return [{ pointer: "", message: "must be an object" }];
  const { issues: dataIssues, hasReferences } = inspectData(value, { ...BOUNDS, isPlain });
  if (dataIssues.some(({ pointer }) => pointer === "")) return dataIssues;
  const issues: SpecIssue[] = [];
  checkName(value["name"], issues);
  checkTexts(value, issues);
  checkType(value["type"], issues);
  const found: FoundIssues = { issues, hasReferences };
  checkInputSchema(value["inputSchema"], found);
  if (value["outputSchema"] !== undefined) checkSchema(value["outputSchema"], "outputSchema", found);
  if (value["instructions"] !== undefined) checkInstructions(value["instructions"], value["name"], issues);
  checkMetadata(value["metadata"], issues);
  if (value["implementation"] !== undefined) addBelow(issues, "implementation", findCompiledIssues(value));
  issues.push(...dataIssues);
  return issues;
}

/** True for a whole, legal spec. */
export function isToolSpec(value: unknown): value is ToolSpec {
  return validateSpec(value).length === 0;
}

function checkName(name: unknown, issues: SpecIssue[]): void {
  if (typeof name === "string" && TOOL_NAME_PATTERN.test(name)) return;
  issues.push({ pointer: "/name", message: "must match ^[a-zA-Z_][a-zA-Z0-9_]{0,63}$" });
}

function checkTexts({ title, description }: Record<string, unknown>, issues: SpecIssue[]): void {
  if (title !== undefined && typeof title !== "string") issues.push({ pointer: "/title", message: "must be a string" });
  if (typeof description !== "string" || description.trim() === "") {
    issues.push({ pointer: "/description", message: "must say what the tool does" });
  } else if (description.length > MAX_DESCRIPTION_LENGTH) {
    issues.push({
      pointer: "/description",
      message: `must have at most ${MAX_DESCRIPTION_LENGTH} characters, has ${description.length}; move detail to the parameters`,
    });
  }
}

function checkType(type: unknown, issues: SpecIssue[]): void {
  if (typeof type === "string" && type !== "") return;
  issues.push({ pointer: "/type", message: 'must name an executor, such as "function"' });
}

function checkInputSchema(schema: unknown, found: FoundIssues): void {
  if (!checkSchema(schema, "inputSchema", found) || (schema as Record<string, unknown>)["type"] === "object") return;
  found.issues.push({ pointer: "/inputSchema/type", message: 'must be "object": arguments have names' });
}

/** True when nothing is wrong with it. */
function checkSchema(schema: unknown, member: string, { issues, hasReferences }: FoundIssues): boolean {
  if (!isRecord(schema)) {
    issues.push({ pointer: `/${member}`, message: "must be a JSON Schema object" });
    return false;
  }
  const before = issues.length;
  if (hasReferences) collectRemoteReferences(schema, [member], issues);
  addBelow(issues, member, checkShape(schema) ?? []);
  return issues.length === before;
}

/** References leave the document only over the network, which is never asked (SEC-NET-9). */
function collectRemoteReferences(node: object, path: string[], issues: SpecIssue[]): void {
  for (const key of Object.keys(node)) {
    const member = (node as Record<string, unknown>)[key];
    if (key === "$ref" && typeof member === "string" && !member.startsWith("#")) {
      issues.push({
        pointer: toPointer([...path, key]),
        message: `must be local ("#/$defs/…"), is ${JSON.stringify(member.slice(0, 80))}`,
      });
    }
    if (typeof member !== "object" || member === null) continue;
    path.push(key);
    collectRemoteReferences(member, path, issues);
    path.pop();
  }
}

function checkInstructions(instructions: unknown, name: unknown, issues: SpecIssue[]): void {
  if (!isRecord(instructions)) {
    issues.push({ pointer: "/instructions", message: "must be an object" });
    return;
  }
  const { examples = [], text } = instructions;
  issues.push(...findWrongTypes(instructions, "/instructions", INSTRUCTION_TYPES));
  if (!Array.isArray(examples) || !examples.every(isExample)) {
    issues.push({ pointer: "/instructions/examples", message: "must be a list of { need?, when, input }" });
  }
  if (
    text !== undefined &&
    !(typeof text === "string" && typeof name === "string" && text.split("\n", 1)[0]?.includes(name) === true)
  ) {
    issues.push({ pointer: "/instructions/text", message: "must name the tool in its first line" });
  }
}

function isExample(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["when"] === "string" &&
    isRecord(value["input"]) &&
    (value["need"] === undefined || typeof value["need"] === "string")
  );
}

function checkMetadata(metadata: unknown, issues: SpecIssue[]): void {
  if (!isRecord(metadata)) {
    issues.push({ pointer: "/metadata", message: "must be an object" });
    return;
  }
  const { effects, timeoutMs } = metadata;
  issues.push(...findWrongTypes(metadata, "/metadata", METADATA_TYPES));
  if (!isRecord(effects) || !EFFECT_FLAGS.every((flag) => typeof effects[flag] === "boolean")) {
    issues.push({ pointer: "/metadata/effects", message: `must have the flags ${EFFECT_FLAGS.join(", ")}` });
  }
  for (const list of TEXT_LISTS) {
    if (!isTextList(metadata[list]))
      issues.push({ pointer: `/metadata/${list}`, message: "must be a list of strings" });
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
    issues.push({ pointer: "/metadata/timeoutMs", message: "must be a number of milliseconds above 0" });
  }
}

/** Absent is fine. */
function findWrongTypes(value: Record<string, unknown>, pointer: string, types: MemberTypes): SpecIssue[] {
  const issues: SpecIssue[] = [];
  for (const [name, type] of types) {
    const member = value[name];
    if (member === undefined || (type === "object" ? isRecord(member) : typeof member === type)) continue;
    issues.push({ pointer: `${pointer}/${name}`, message: `must be ${WORDS[type]}` });
  }
  return issues;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
