import type { JsonSchema } from "@aiw/core";

/** What a parameter's code or comment adds to the schema of its type. */
export interface Overlay {
  /** Names from the root on. */
  readonly path: readonly string[];
  readonly keywords?: JsonSchema;
  /** The code has a value of its own when this one is absent. */
  readonly isOptional?: boolean;
}

/** Adds to the schema at a path, on a copy; undefined when the path leads nowhere. */
export function overlaySchema(schema: JsonSchema, overlay: Overlay): JsonSchema | undefined {
  const { path, keywords, isOptional = false } = overlay;
  const [name, ...below] = path;
  if (name === undefined) return { ...schema, ...keywords };
  const { properties, items } = schema;
  if (properties === undefined || !Object.hasOwn(properties, name)) {
    if (typeof items !== "object") return undefined;
    const changed = overlaySchema(items, overlay);
    return changed && { ...schema, items: changed };
  }
  const member = properties[name];
  const changed = overlaySchema(typeof member === "object" ? member : {}, { ...overlay, path: below });
  if (changed === undefined) return undefined;
  const required = isOptional && below.length === 0 ? schema.required?.filter((one) => one !== name) : schema.required;
  const { required: _, ...rest } = schema;
  return {
    ...rest,
    properties: { ...properties, [name]: changed },
    ...(required !== undefined && required.length > 0 && { required }),
  };
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
