import { toPointer } from "../../schema/json-pointer.ts";
import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../../contract/json.ts";
import { resolveSecrets, type Environment } from "../../config/resolve-secrets.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { toShownText } from "../../register/create-finding.ts";
import { nearestNames } from "../../schema/nearest-names.ts";
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
  const pointer = toPointer(["plugins", packageKey]);
  try {
    const resolved = resolveSecrets(configured, environment);
    if (schema === undefined) return { options: resolved };
    // The validator is large, and most projects configure nothing.
    const { compileSchema } = await import("../../schema/compile-schema.ts");
    const compiled = await compileSchema(schema, { fillDefaults: false });
    if (compiled.check(resolved)) return { options: resolved };
    const [issue] = compiled.errors(resolved, "first");
    return refuse(`${pointer}${issue?.instancePath ?? ""}`, describe(issue, { schema, given: resolved }));
  } catch (error) {
    if (AiwError.is(error))
      return { ...refuse(pointer, error.message), ...(error.fix !== undefined && { fix: error.fix }) };
    return refuse(pointer, error instanceof Error ? error.message : String(error));
  }
}

/** Names what is wrong, never the value: options hold secrets. */
interface Compared {
  readonly schema: JsonSchema;
  readonly given: unknown;
}

function describe(issue: ErrorObject | undefined, compared: Compared): string {
  const said = issue === undefined ? "is wrong" : complain(issue, compared);
  return `${issue?.instancePath || "/"} ${said}${said.endsWith("?") ? "" : "."}`;
}

function complain({ keyword, params, instancePath }: ErrorObject, { schema, given }: Compared): string {
  const said = (name: string): string => JSON.stringify((params as Readonly<Record<string, unknown>>)[name]);
  switch (keyword) {
    case "type":
      return `must be of type ${said("type")}`;
    case "required":
      return `must have ${said("missingProperty")}${findMisspelt(said("missingProperty"), listUnknown(given, { schema, instancePath }))}`;
    case "additionalProperties":
      return `must not have ${said("additionalProperty")}${suggest(params, listKeys(schema, instancePath))}`;
    case "enum":
      return `must be one of ${said("allowedValues")}`;
    default:
      return `does not meet ${JSON.stringify(keyword)} of the schema`;
  }
}

/** Names keys of the schema, which hold no secrets. */
function suggest({ additionalProperty }: ErrorObject["params"], known: readonly string[]): string {
  const [nearest] = nearestNames(String(additionalProperty), known, 1);
  if (nearest !== undefined) return `; did you mean ${JSON.stringify(nearest)}?`;
  return known.length === 0
    ? ""
    : `; it may have ${known
        .slice(0, MAX_KEYS)
        .map((key) => JSON.stringify(key))
        .join(", ")}`;
}

/** A key that nothing reads may be the one that is missing; keys hold no secrets. */
function findMisspelt(missing: string, unknown: readonly string[]): string {
  const [nearest] = nearestNames(missing.slice(1, -1), unknown, 1);
  return nearest === undefined ? "" : `; is it meant by ${JSON.stringify(nearest)}?`;
}

function listUnknown(given: unknown, { schema, instancePath }: { schema: JsonSchema; instancePath: string }): string[] {
  let at = given;
  for (const part of instancePath.split("/").slice(1)) at = read(at, part);
  const known = listKeys(schema, instancePath);
  return Object.keys(Object(at)).filter((key) => !known.includes(key));
}

/** Keys that are listed. */
const MAX_KEYS = 10;

/** The keys a schema has for an object inside the options; none where other keywords than `properties` decide. */
function listKeys(schema: unknown, instancePath: string): string[] {
  let at: unknown = schema;
  for (const part of instancePath.split("/").slice(1)) at = read(read(at, "properties"), part);
  return Object.keys(Object(read(at, "properties")));
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function refuse(pointer: string, message: string): Refusal {
  return {
    code: "options_invalid",
    pointer,
    reason: `The configured options do not fit the package's schema: ${toShownText(message)}`,
    fix: `Correct ${pointer} in the configuration.`,
  };
}
