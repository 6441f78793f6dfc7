import type { JsonSchema } from "../contract/json.ts";
import { ToolError } from "../errors/tool-error.ts";
import { isSchemaObject, listSubschemas, mapSubschemas, type Subschema } from "./subschemas.ts";
import { toPointer } from "./json-pointer.ts";
import { toDraft2020 } from "./to-draft-2020.ts";

/** Limits of one schema (SEC-VAL-4). */
const MAX_DEPTH = 64;
const MAX_SUBSCHEMAS = 5000;
const MAX_LENGTH = 256 * 1024;

/** Something a schema says that is not checked. */
export interface SchemaNote {
  /** JSON pointer of the keyword. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** A schema as the validator takes it: own copy, in the words of 2020-12, nothing it would stumble over. */
export interface PreparedSchema {
  readonly schema: JsonSchema;
  readonly notes: readonly SchemaNote[];
  /** Every pattern in it, `patternProperties` included. */
  readonly patterns: ReadonlySet<string>;
  /** Some reference leads to a draft's own meta-schema. */
  readonly refersToDraft: boolean;
}

/**
 * Copies a schema into the form the validator takes; foreign habits that harm nothing are tolerated and noted.
 * @throws ToolError `schema_invalid` when it is over the limits.
 */
export function prepareSchema(source: JsonSchema): PreparedSchema {
  assertBounds(source);
  const notes: SchemaNote[] = [];
  const patterns = new Set<string>();
  const prepare = (schema: Subschema, path: readonly string[]): Subschema => {
    if (!isSchemaObject(schema)) return schema;
    assertSchemas(schema);
    collectPatterns(schema, patterns);
    const tolerated = tolerate(schema, (keyword, message) =>
      notes.push({ pointer: toPointer([...path, keyword]), keyword, message }),
    );
    return mapSubschemas(tolerated, (below, step) => prepare(below, [...path, ...step]));
  };
  const schema = prepare(toDraft2020(source), []);
  return { schema: isSchemaObject(schema) ? schema : source, notes, patterns, refersToDraft: refersToDraft(source) };
}

function assertBounds(schema: JsonSchema): void {
  const stack: { node: unknown; depth: number }[] = [{ node: schema, depth: 0 }];
  let nodes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next.node !== "object" || next.node === null) continue;
    if (next.depth > MAX_DEPTH) throw invalid(`it nests deeper than ${MAX_DEPTH} levels`);
    nodes += 1;
    if (nodes > MAX_LENGTH) throw invalid(`it has more than ${MAX_LENGTH} characters`);
    for (const member of Object.values(next.node)) stack.push({ node: member, depth: next.depth + 1 });
  }
  if (JSON.stringify(schema).length > MAX_LENGTH) throw invalid(`it has more than ${MAX_LENGTH} characters`);
  if (countSubschemas(schema) > MAX_SUBSCHEMAS) throw invalid(`it has more than ${MAX_SUBSCHEMAS} subschemas`);
}

/** The validator lets a number pass for a schema; nobody means one. */
function assertSchemas(schema: JsonSchema): void {
  for (const keyword of ["properties", "patternProperties", "$defs", "definitions"]) {
    const members = Object.entries(schema[keyword] ?? {});
    const wrong = members.find(([, member]) => typeof member !== "boolean" && !isSchemaObject(member));
    if (wrong !== undefined) throw invalid(`${keyword} holds ${JSON.stringify(wrong[0])}, which is no schema`);
  }
}

function countSubschemas(schema: Subschema): number {
  if (!isSchemaObject(schema)) return 1;
  return listSubschemas(schema).reduce((sum, below) => sum + countSubschemas(below.schema), 1);
}

function invalid(reason: string): ToolError {
  return new ToolError("schema_invalid", `The tool's schema cannot be used: ${reason}.`);
}

/** References to a draft's meta-schema are not fetched: the validator brings them. */
function refersToDraft(schema: Subschema): boolean {
  if (!isSchemaObject(schema)) return false;
  const { $ref: reference } = schema;
  if (typeof reference === "string" && /^https?:\/\/json-schema\.org\/draft/.test(reference)) return true;
  return listSubschemas(schema).some((below) => refersToDraft(below.schema));
}

function collectPatterns(schema: JsonSchema, patterns: Set<string>): void {
  if (typeof schema["pattern"] === "string") patterns.add(schema["pattern"]);
  const named = schema["patternProperties"];
  if (isSchemaObject(named)) for (const pattern of Object.keys(named)) patterns.add(pattern);
}

type Note = (keyword: string, message: string) => void;

/** Keywords the validator would obey or refuse although JSON Schema does not know them. */
function tolerate(schema: JsonSchema, note: Note): JsonSchema {
  const copy = new Map<string, unknown>(Object.entries(schema));
  // An `$async` schema answers with a promise, which every check would take for yes.
  if (copy.delete("$async")) note("$async", "is no keyword of JSON Schema and is ignored");
  copy.delete("$vocabulary");
  if (copy.has("nullable") && copy.get("type") === undefined) {
    copy.delete("nullable");
    note("nullable", "means nothing without a type and is ignored");
  }
  return Object.fromEntries(copy);
}
