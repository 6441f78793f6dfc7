import type { Json, JsonSchema } from "../contract/json.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { toConstraintPhrases, toTypeWords } from "../schema/describe-schema.ts";
import { cursorAt, descend, type SchemaCursor } from "../schema/schema-cursor.ts";
import { asJson, branchesOf, dereference, isSchemaObject, type Subschema } from "../schema/subschemas.ts";

/** Levels of nesting that get lines of their own. */
const MAX_LEVELS = 6;

/** One parameter, nested ones included, as a person or a model reads it. */
export interface ParameterDescription {
  readonly name: string;
  /** `edits[].old_text` for nested parameters. */
  readonly path: string;
  /** In words: `array of string`, `one of "a", "b"`, `string or null`. */
  readonly type: string;
  /** Within the object it belongs to. */
  readonly required: boolean;
  readonly default?: Json;
  readonly description?: string;
  /** In the fixed form, one phrase each: `min 1`, `format uri`. */
  readonly constraints: readonly string[];
}

/** Describes a tool's parameters: required ones first, nested ones after their own. */
export function describeParameters({ inputSchema }: Pick<ToolSpec, "inputSchema">): ParameterDescription[] {
  return describeMembers(inputSchema, { schema: inputSchema, prefix: "", inside: [] });
}

/** Describes the fields a schema's value has, in the same way. */
export function describeFields(schema: JsonSchema): ParameterDescription[] {
  return describeMembers(schema, { schema, prefix: "", inside: [] });
}

interface Level {
  readonly schema: JsonSchema;
  readonly prefix: string;
  /** The schemas around this one, so that recursion ends. */
  readonly inside: readonly JsonSchema[];
}

function describeMembers(root: JsonSchema, { schema, prefix, inside }: Level): ParameterDescription[] {
  if (inside.length > MAX_LEVELS || inside.includes(schema)) return [];
  const cursor = cursorAt(root, schema);
  const names = [...new Set(cursor.schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const required = new Set(requiredNames(root, schema));
  const ordered = [...names.filter((name) => required.has(name)), ...names.filter((name) => !required.has(name))];
  return ordered.flatMap((name) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const member = memberOf(cursor, name);
    const nested = nestedObject(root, { schema: member, path });
    return [
      describeMember(root, member, { name, path, required: required.has(name) }),
      ...(nested === undefined
        ? []
        : describeMembers(root, { schema: nested.schema, prefix: nested.path, inside: [...inside, schema] })),
    ];
  });
}

/** What several branches declare differently is a choice. */
function memberOf({ schemas }: SchemaCursor, name: string): Subschema {
  const declared = schemas.flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, name) ? [properties[name] ?? true] : [],
  );
  const [only] = declared;
  return declared.length === 1 && only !== undefined ? only : { anyOf: declared };
}

/** Required is what this schema, all of its parts and each of its branches require. */
function requiredNames(root: JsonSchema, schema: Subschema, level = 0): string[] {
  const target = dereference(root, schema);
  if (!isSchemaObject(target) || level > MAX_LEVELS) return [];
  const parts = Array.isArray(target["allOf"])
    ? (target["allOf"] as Subschema[]).flatMap((part) => requiredNames(root, part, level + 1))
    : [];
  const branches = branchesOf(target).map((branch) => requiredNames(root, branch, level + 1));
  const common = (branches[0] ?? []).filter((name) => branches.every((names) => names.includes(name)));
  return [...(Array.isArray(target.required) ? target.required : []), ...parts, ...common];
}

interface Place {
  readonly schema: Subschema;
  readonly path: string;
}

/** The object whose members are worth lines: the value itself, or the items of an array. */
function nestedObject(
  root: JsonSchema,
  { schema, path }: Place,
  level = 0,
): { readonly schema: JsonSchema; readonly path: string } | undefined {
  const target = dereference(root, schema);
  if (!isSchemaObject(target) || level > MAX_LEVELS) return undefined;
  const { schemas } = cursorAt(root, target);
  if (schemas.some(({ properties }) => properties !== undefined)) return { schema: target, path };
  const items = schemas.map((option) => option.items).find((option) => isSchemaObject(option));
  return items === undefined ? undefined : nestedObject(root, { schema: items, path: `${path}[]` }, level + 1);
}

interface Naming {
  readonly name: string;
  readonly path: string;
  readonly required: boolean;
}

function describeMember(root: JsonSchema, schema: Subschema, naming: Naming): ParameterDescription {
  const target = dereference(root, schema);
  const own = isSchemaObject(schema) ? schema : {};
  const full: JsonSchema = { ...(isSchemaObject(target) ? target : {}), ...own };
  const said = [full, ...cursorAt(root, full).schemas]
    .map(({ description }) => description)
    .find((text) => typeof text === "string" && text !== "");
  return {
    ...naming,
    type: toTypeWords(root, schema),
    ...(full.default !== undefined && { default: asJson(full.default) }),
    ...(said !== undefined && { description: said }),
    constraints: [...toConstraintPhrases(full), ...itemConstraints(root, full)],
  };
}

/** Constraints of an array's plain items have no line of their own. */
function itemConstraints(root: JsonSchema, schema: JsonSchema): string[] {
  const items = descend(cursorAt(root, schema), 0).schemas[0];
  if (items === undefined || items.properties !== undefined) return [];
  return toConstraintPhrases(items).map((phrase) => `each ${phrase}`);
}
