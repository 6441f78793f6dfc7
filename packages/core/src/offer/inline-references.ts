import type { JsonSchema } from "../contract/json.ts";
import { mergeSchemas } from "../schema/merge-schemas.ts";
import { isSchemaObject, mapSubschemas, resolveReference, type Subschema } from "../schema/subschemas.ts";
import { describe, logLoss, type LossLog, type SchemaPath } from "./loss-log.ts";

/** How often a schema is written out inside itself. */
const MAX_UNROLLED = 3;

/** Subschemas one definition may have once everything is written out. */
const MAX_SUBSCHEMAS = 5000;

/** Writes every reference out; recursion three times, then in words. Gives undefined when that takes too many schemas. */
export function inlineReferences(root: JsonSchema, log: LossLog): JsonSchema | undefined {
  const inliner = new Inliner(root, log);
  const schema = inliner.inline(root, [], []);
  return inliner.isTooLarge || !isSchemaObject(schema) ? undefined : schema;
}

class Inliner {
  readonly #root: JsonSchema;
  readonly #log: LossLog;
  #written = 0;

  constructor(root: JsonSchema, log: LossLog) {
    this.#root = root;
    this.#log = log;
  }

  get isTooLarge(): boolean {
    return this.#written > MAX_SUBSCHEMAS;
  }

  /** `inside` lists the targets being written out around this schema. */
  inline(schema: Subschema, path: SchemaPath, inside: readonly Subschema[]): Subschema {
    this.#written += 1;
    if (!isSchemaObject(schema) || this.isTooLarge) return schema;
    const { $defs: _defs, definitions: _definitions, $anchor: _anchor, $dynamicAnchor: _dynamic, ...own } = schema;
    if (typeof own["$ref"] === "string") return this.#writeOut(own, own["$ref"], { path, inside });
    return mapSubschemas(own, (below, step) => this.inline(below, [...path, ...step], inside));
  }

  #writeOut(
    { $ref: _reference, ...siblings }: JsonSchema,
    reference: string,
    { path, inside }: { path: SchemaPath; inside: readonly Subschema[] },
  ): Subschema {
    const target = resolveReference(this.#root, reference);
    if (target === undefined || inside.filter((outer) => outer === target).length >= MAX_UNROLLED) {
      const name = reference.split("/").at(-1) ?? reference;
      const words = target === undefined ? `see ${name}` : `the same again: ${name}`;
      const kept = isSchemaObject(target) && target.type !== undefined ? { type: target.type, ...siblings } : siblings;
      return describe(this.inline(kept, path, inside) as JsonSchema, path, [
        logLoss(this.#log, path, { keyword: "$ref", value: reference, words }),
      ]);
    }
    const written = this.inline(target, path, [...inside, target]);
    if (!isSchemaObject(written) || Object.keys(siblings).length === 0) return written;
    const beside = this.inline(siblings, path, inside) as JsonSchema;
    // Words beside a reference speak of this place, so they come first.
    return mergeSchemas(beside, written) ?? { ...written, allOf: [beside] };
  }
}
