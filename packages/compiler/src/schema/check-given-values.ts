import type { ErrorObject } from "ajv";
import { compileCheck } from "./compile-check.ts";
import type { DefinitionWriter } from "./definition-writer.ts";
import type { GivenValues } from "./definitions.ts";
import type { SchemaContext } from "./schema-context.ts";

/** Checks documented defaults and examples against the schemas they stand in. */
export function checkGivenValues(writer: DefinitionWriter, context: SchemaContext): void {
  const { given } = context.definitions;
  for (const values of given.splice(0)) {
    const fault = findFault(values, writer);
    if (fault === undefined) continue;
    context.report({
      code: "default_invalid",
      severity: "error",
      message: `${values.keyword === "default" ? "The default" : "An example"} of ${values.name} does not pass its own type: ${fault}.`,
      fix: "Write a value that does, or correct the tags that narrow it.",
      node: values.node,
    });
  }
}

function findFault({ schema, values }: GivenValues, writer: DefinitionWriter): string | undefined {
  if (isPlain(schema) && values.every((value) => typeof value === schema.type)) return undefined;
  const validate = compile(writer.write(schema));
  if (validate === undefined) return undefined;
  for (const value of values) {
    if (!validate(value))
      return `${JSON.stringify(value)?.slice(0, 80) ?? "undefined"} ${describe(validate.errors?.[0])}`;
  }
  return undefined;
}

const PLAIN = new Set(["type", "description", "default", "examples"]);

/** Most values have a type and nothing that narrows it, and need no validator. */
function isPlain(schema: JsonSchemaLike): boolean {
  return Object.keys(schema).every((keyword) => PLAIN.has(keyword));
}

/** A schema that does not compile was refused for what it says. */
function compile(schema: JsonSchemaLike): ReturnType<typeof compileCheck> | undefined {
  try {
    return compileCheck(schema);
  } catch {
    return undefined;
  }
}

type JsonSchemaLike = ReturnType<DefinitionWriter["write"]>;

function describe(error: ErrorObject | undefined): string {
  return error?.message ?? "is not admitted";
}
