import type { JsonSchema } from "@aiw/core";
import { definitionOf, type Definitions } from "../schema/definitions.ts";

/** What is said of a member of a schema. */
export interface Overlay {
  /** Names from the root on. */
  readonly path: readonly string[];
  /** Gives the member's schema with what is said of it. */
  change(schema: JsonSchema): JsonSchema;
  /** The code has a value of its own when this one is absent. */
  readonly isOptional?: boolean;
}

/** Adds to the schema at a path, on a copy; undefined when the path leads nowhere. */
export function overlaySchema(schema: JsonSchema, overlay: Overlay, definitions: Definitions): JsonSchema | undefined {
  const [name, ...below] = overlay.path;
  if (name === undefined) return overlay.change(schema);
  const target = definitionOf(schema, definitions)?.schema;
  if (target !== undefined) {
    const { $ref: _, ...beside } = schema;
    return overlaySchema({ ...target, ...beside }, overlay, definitions);
  }
  const { properties, items, anyOf } = schema;
  if (properties === undefined || !Object.hasOwn(properties, name)) {
    if (Array.isArray(anyOf)) return overlayBranches(schema, overlay, definitions);
    if (typeof items !== "object") return undefined;
    const changed = overlaySchema(items, overlay, definitions);
    return changed && { ...schema, items: changed };
  }
  const member = properties[name];
  const changed = overlaySchema(typeof member === "object" ? member : {}, { ...overlay, path: below }, definitions);
  if (changed === undefined) return undefined;
  const isAsked = overlay.isOptional !== true || below.length > 0;
  const { required = [], ...rest } = schema;
  const asked = isAsked ? required : required.filter((one) => one !== name);
  return { ...rest, properties: { ...properties, [name]: changed }, ...(asked.length > 0 && { required: asked }) };
}

/** Of a choice, the branches that have the member. */
function overlayBranches(schema: JsonSchema, overlay: Overlay, definitions: Definitions): JsonSchema | undefined {
  const branches = schema["anyOf"] as readonly JsonSchema[];
  const changed = branches.map((branch) => overlaySchema(branch, overlay, definitions));
  if (changed.every((branch) => branch === undefined)) return undefined;
  return { ...schema, anyOf: changed.map((branch, index) => branch ?? branches[index]) };
}

/** Names of the members of an object, or of any branch of a choice of objects. */
export function listMemberNames(schema: JsonSchema, definitions: Definitions): ReadonlySet<string> {
  const target = definitionOf(schema, definitions)?.schema ?? schema;
  const { properties = {}, anyOf } = target;
  const inBranches = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];
  return new Set([
    ...Object.keys(properties),
    ...inBranches.flatMap((branch) => [...listMemberNames(branch, definitions)]),
  ]);
}

/** Writes a root that is only a reference out, since the arguments of a call are an object of their own. */
export function inlineRoot(schema: JsonSchema): JsonSchema {
  const { $ref: reference, $defs: definitions, ...rest } = schema;
  if (typeof reference !== "string" || typeof definitions !== "object" || definitions === null) return schema;
  const name = reference.replace(/^#\/\$defs\//, "");
  const target = (definitions as Readonly<Record<string, JsonSchema>>)[name];
  if (target === undefined) return schema;
  // What refers to itself is still referred to.
  const isUsed = JSON.stringify([target, definitions]).includes(`"$ref":${JSON.stringify(reference)}`);
  const others = isUsed ? definitions : Object.fromEntries(Object.entries(definitions).filter(([key]) => key !== name));
  return { ...target, ...rest, ...(Object.keys(others).length > 0 && { $defs: others }) };
}
