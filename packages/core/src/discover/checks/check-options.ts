import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../../contract/json.ts";
import { resolveSecrets, type Environment } from "../../config/resolve-secrets.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { toShownText } from "../../register/create-finding.ts";
import type { Refusal } from "../read/read-declaration.ts";

/** A package's configured options. */
export interface OptionsToCheck {
  readonly packageKey: string;
  readonly configured: unknown;
  /** Absent when only the package's code knows it. */
  readonly schema: JsonSchema | undefined;
  readonly environment: Environment;
}

/** Resolves references and checks the values against the manifest's schema, without the package's code. */
export async function checkOptions(options: OptionsToCheck): Promise<{ readonly options: unknown } | Refusal> {
  const { packageKey, configured, schema, environment } = options;
  const pointer = `/plugins/${packageKey.replaceAll("/", "~1")}`;
  try {
    const resolved = resolveSecrets(configured, environment);
    if (schema === undefined) return { options: resolved };
    // The validator is large, and most projects configure nothing.
    const { compileSchema } = await import("../../schema/compile-schema.ts");
    const compiled = await compileSchema(schema, { fillDefaults: false });
    if (compiled.check(resolved)) return { options: resolved };
    const [issue] = compiled.errors(resolved, "first");
    return refuse(`${pointer}${issue?.instancePath ?? ""}`, describe(issue));
  } catch (error) {
    if (AiwError.is(error))
      return { ...refuse(pointer, error.message), ...(error.fix !== undefined && { fix: error.fix }) };
    return refuse(pointer, error instanceof Error ? error.message : String(error));
  }
}

/** Names what is wrong, never the value: options hold secrets. */
function describe(issue: ErrorObject | undefined): string {
  return `${issue?.instancePath || "/"} ${issue === undefined ? "is wrong" : complain(issue)}.`;
}

function complain({ keyword, params }: ErrorObject): string {
  const said = (name: string): string => JSON.stringify((params as Readonly<Record<string, unknown>>)[name]);
  switch (keyword) {
    case "type":
      return `must be of type ${said("type")}`;
    case "required":
      return `must have ${said("missingProperty")}`;
    case "additionalProperties":
      return `must not have ${said("additionalProperty")}`;
    case "enum":
      return `must be one of ${said("allowedValues")}`;
    default:
      return `does not meet ${JSON.stringify(keyword)} of the schema`;
  }
}

function refuse(pointer: string, message: string): Refusal {
  return {
    code: "options_invalid",
    pointer,
    reason: `The configured options do not fit the package's schema: ${toShownText(message)}`,
    fix: `Correct ${pointer} in the configuration.`,
  };
}
