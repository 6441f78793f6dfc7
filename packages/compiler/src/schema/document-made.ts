import type { JsonSchema } from "@aiw/core";
import { layConstraints } from "./lay-constraints.ts";
import type { MadeSchema } from "./made-schema.ts";
import type { SymbolDocs } from "./schema-context.ts";
import type { Place, Walk } from "./walk.ts";

/** Says in a schema what documentation says of its declaration; what was said before gives way. */
export function documentMade(
  found: MadeSchema,
  docs: SymbolDocs,
  { place, walk }: { readonly place: Place; readonly walk: Walk },
): MadeSchema {
  const { deprecated } = docs;
  const description = describe(found, docs);
  const schema: JsonSchema = {
    ...layConstraints(found.schema, docs.constraints, { place, walk, written: docs.written }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated: true }),
  };
  return { ...found, schema };
}

/** Meanings of bare values stay: no other text has them. */
function describe({ legend }: MadeSchema, { description, deprecated }: SymbolDocs): string | undefined {
  const texts = [
    description,
    typeof deprecated === "string" && deprecated !== "" ? `Deprecated: ${deprecated}` : undefined,
  ];
  const said = texts.filter((text) => text !== undefined && text !== "");
  if (said.length === 0) return undefined;
  return [...said, ...(legend === undefined ? [] : [legend])].join("\n");
}
