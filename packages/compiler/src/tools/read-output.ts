import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { createDocReader } from "../docs/create-doc-reader.ts";
import { closeSchema } from "../schema/close-schema.ts";
import { createDefinitions } from "../schema/definitions.ts";
import { admitsUndefined } from "../schema/nullable.ts";
import type { SchemaContext } from "../schema/schema-context.ts";
import { toSchema } from "../schema/to-schema.ts";
import type { Candidate } from "./candidate.ts";
import type { ToolReading } from "./read-input.ts";
import { inlineRoot } from "./overlay-schema.ts";

/** What a function gives, if its types say so. */
export interface ToolOutput {
  readonly schema?: JsonSchema;
  readonly dates: readonly string[];
}

const NOTHING: ToolOutput = { dates: [] };

/** Makes the output schema of what a function returns in the end: a promise's value, a generator's last. */
export function readOutput({ signature, node, doc }: Candidate, { compilation, report }: ToolReading): ToolOutput {
  const { checker } = compilation;
  const returned = signature.getReturnType();
  const last = readGenerator(returned, checker, () => report(wrongYield(node)));
  const type = last ?? checker.getAwaitedType(returned) ?? returned;
  if (saysNothing(type)) return NOTHING;
  const dates: string[] = [];
  const docs = createDocReader(checker, report);
  const context: SchemaContext = {
    checker,
    direction: "output",
    docs,
    report,
    dates,
    definitions: createDefinitions(),
  };
  const at = signature.getDeclaration() ?? node;
  const schema = inlineRoot(closeSchema(toSchema(type, at, context), context));
  if (Object.keys(schema).length === 0) return { dates };
  return { schema: { ...schema, ...(doc?.returns !== undefined && { description: doc.returns }) }, dates };
}

/** Of what is sometimes nothing, or may be anything, no schema holds; a type that was not found is no such type. */
function saysNothing(type: ts.Type): boolean {
  if ((type as { readonly intrinsicName?: string }).intrinsicName === "error") return false;
  const silent = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never;
  return (type.flags & silent) !== 0 || admitsUndefined(type);
}

/** What a generator returns, or undefined for what is none. */
function readGenerator(type: ts.Type, checker: ts.TypeChecker, refuse: () => void): ts.Type | undefined {
  if (!["AsyncGenerator", "Generator"].includes(type.symbol?.name ?? "")) return undefined;
  const [yielded, last] = checker.getTypeArguments(type as ts.TypeReference);
  if (yielded === undefined || last === undefined) return undefined;
  if (!isText(yielded)) refuse();
  return last;
}

/** What a function that yields nothing yields is text too. */
function isText(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.every(({ flags }) => (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Never)) !== 0);
}

function wrongYield(node: ts.Node): Parameters<ToolReading["report"]>[0] {
  return {
    code: "yield_unsupported",
    severity: "error",
    message: "The generator yields what is not text; what a tool yields is shown while it runs.",
    fix: "Yield strings and return the output: AsyncGenerator<string, Output>.",
    node,
  };
}
