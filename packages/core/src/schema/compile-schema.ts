import type { Ajv, AnySchemaObject, ErrorObject, Options, ValidateFunction } from "ajv";
import type { JsonSchema } from "../contract/json.ts";
import { ToolError } from "../errors/tool-error.ts";
import { compileLinearPattern, type LinearPattern } from "./linear-pattern.ts";
import { prepareSchema, type PreparedSchema, type SchemaNote } from "./prepare-schema.ts";
import { toSafeFormat } from "./safe-formats.ts";
import { isSchemaObject, listSubschemas, mapSubschemas, type Subschema } from "./subschemas.ts";
import { toPointer } from "./json-pointer.ts";

/** Settings of one compilation. */
export interface CompileSchemaOptions {
  /** `check` writes defaults into the value it is given: give it a copy. */
  readonly fillDefaults: boolean;
}

/** A schema ready to check values. */
export interface CompiledSchema {
  /** The schema as compiled; the `parentSchema` of errors is part of it. */
  readonly schema: JsonSchema;
  /** What the schema says and nobody checks: unknown formats, patterns that need backtracking. */
  readonly notes: readonly SchemaNote[];
  /** False when `check` leaves the value as it is. */
  readonly fillsDefaults: boolean;
  check(value: unknown): boolean;
  /** Says what is wrong in a pass of its own: everything, or the first thing for values too large for more. */
  errors(value: unknown, extent: "all" | "first"): ErrorObject[];
}

interface Engine {
  create(options: Options): Ajv;
  readonly formats: ReadonlyMap<string, ReturnType<typeof toSafeFormat>>;
}

/** What is compiled, and what is being compiled, for each way of filling defaults. */
interface Memory {
  readonly ready: WeakMap<JsonSchema, CompiledSchema>;
  readonly promised: WeakMap<JsonSchema, Promise<CompiledSchema>>;
}

const withDefaults: Memory = { ready: new WeakMap(), promised: new WeakMap() };
const asWritten: Memory = { ready: new WeakMap(), promised: new WeakMap() };

let engine: Promise<Engine> | undefined;

/**
 * Compiles a schema once; the validator itself is loaded by the first call.
 * @throws ToolError `schema_invalid` when it is no schema, or over the limits of SEC-VAL-4.
 */
export function compileSchema(schema: JsonSchema, { fillDefaults }: CompileSchemaOptions): Promise<CompiledSchema> {
  const { ready, promised } = fillDefaults ? withDefaults : asWritten;
  const known = promised.get(schema);
  if (known !== undefined) return known;
  const compiled = compile(schema, fillDefaults).then((result) => {
    ready.set(schema, result);
    return result;
  });
  promised.set(schema, compiled);
  return compiled;
}

/**
 * The same, at once for a schema that has been compiled before.
 * @throws ToolError `schema_invalid` when it is no schema, or over the limits of SEC-VAL-4.
 */
export function resolveSchema(
  schema: JsonSchema,
  options: CompileSchemaOptions,
): CompiledSchema | Promise<CompiledSchema> {
  const { ready } = options.fillDefaults ? withDefaults : asWritten;
  return ready.get(schema) ?? compileSchema(schema, options);
}

async function compile(source: JsonSchema, useDefaults: boolean): Promise<CompiledSchema> {
  const prepared = prepareSchema(source);
  engine ??= loadEngine();
  const { create, formats } = await engine;
  const patterns = await compilePatterns(prepared.patterns);
  const schema = withoutUncheckedPatterns(prepared.schema, patterns);
  const build = (allErrors: boolean): ValidateFunction => {
    const ajv = create(toOptions(prepared, { useDefaults, allErrors, patterns }));
    for (const [name, format] of formats) ajv.addFormat(name, format);
    return compileWith(ajv, schema);
  };
  const validate = build(false);
  let explain: ValidateFunction | undefined;
  return {
    schema,
    notes: [...prepared.notes, ...uncheckedNotes(prepared.schema, formats, patterns)],
    fillsDefaults: useDefaults && JSON.stringify(schema).includes('"default":'),
    check: (value) => run(validate, value),
    errors: (value, extent) => {
      const pass = extent === "first" ? validate : (explain ??= build(true));
      return run(pass, value) ? [] : [...(pass.errors ?? [])];
    },
  };
}

/** A schema that is its own reference never comes to an end. */
function run(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ToolError(
      "schema_invalid",
      "The tool's schema cannot be used: checking this value does not come to an end.",
      { cause },
    );
  }
}

function compileWith(ajv: Ajv, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema as AnySchemaObject);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 300) : "it does not compile";
    throw new ToolError("schema_invalid", `The tool's schema cannot be used: ${reason}.`, { cause });
  }
}

async function loadEngine(): Promise<Engine> {
  const { Ajv2020, fullFormats } = await import("./schema-engine.ts");
  const formats = Object.entries(fullFormats).map(([name, format]) => [name, toSafeFormat(name, format)] as const);
  return { formats: new Map(formats), create: (options) => new Ajv2020(options) };
}

interface PassOptions {
  readonly useDefaults: boolean;
  readonly allErrors: boolean;
  readonly patterns: ReadonlyMap<string, LinearPattern>;
}

/** SEC-VAL-2: nothing is coerced, fetched or taken from data; only own properties exist; odd numbers are no numbers. */
function toOptions({ refersToDraft }: PreparedSchema, { useDefaults, allErrors, patterns }: PassOptions): Options {
  return {
    strict: false,
    strictNumbers: true,
    ownProperties: true,
    allowMatchingProperties: true,
    coerceTypes: false,
    removeAdditional: false,
    $data: false,
    useDefaults,
    allErrors,
    verbose: true,
    messages: false,
    multipleOfPrecision: 9,
    inlineRefs: false,
    validateSchema: false,
    meta: refersToDraft,
    logger: false,
    code: { regExp: toRegExpEngine(patterns) },
  };
}

const ADMITS_ALL: LinearPattern = { test: () => true, toString: () => "" };

function toRegExpEngine(
  patterns: ReadonlyMap<string, LinearPattern>,
): NonNullable<NonNullable<Options["code"]>["regExp"]> {
  // A draft's own meta-schema brings patterns of its own, which are known to be harmless.
  const regExp = (source: string): LinearPattern => patterns.get(source) ?? ADMITS_ALL;
  return Object.assign(regExp, { code: "compileLinearPattern" });
}

async function compilePatterns(sources: ReadonlySet<string>): Promise<ReadonlyMap<string, LinearPattern>> {
  const patterns = new Map<string, LinearPattern>();
  if (sources.size === 0) return patterns;
  const { RE2JS } = await import("re2js");
  for (const source of sources) {
    const pattern = compileLinearPattern(RE2JS, source);
    if (pattern !== undefined) patterns.set(source, pattern);
  }
  return patterns;
}

/** Names that a pattern nobody can check might match are admitted, whatever they hold. */
function withoutUncheckedPatterns(root: JsonSchema, patterns: ReadonlyMap<string, unknown>): JsonSchema {
  return mapSubschemas(root, (schema, [keyword, name = ""]) => {
    if (keyword === "patternProperties" && !patterns.has(name)) return true;
    return isSchemaObject(schema) ? withoutUncheckedPatterns(schema, patterns) : schema;
  });
}

/** Lists what the compiled schema holds that no check reads. */
function uncheckedNotes(
  root: JsonSchema,
  formats: ReadonlyMap<string, unknown>,
  patterns: ReadonlyMap<string, unknown>,
): SchemaNote[] {
  const notes: SchemaNote[] = [];
  const visit = (schema: Subschema, path: readonly string[]): void => {
    if (!isSchemaObject(schema)) return;
    const { format, pattern, patternProperties } = schema;
    const note = (keyword: string, message: string): void => {
      notes.push({ pointer: toPointer([...path, keyword]), keyword, message });
    };
    if (typeof format === "string" && !formats.has(format))
      note("format", `${JSON.stringify(format)} is unknown and not checked`);
    if (typeof pattern === "string" && !patterns.has(pattern)) note("pattern", "needs backtracking and is not checked");
    if (isSchemaObject(patternProperties) && Object.keys(patternProperties).some((name) => !patterns.has(name))) {
      note("patternProperties", "has a pattern that needs backtracking and is not checked");
    }
    for (const below of listSubschemas(schema)) visit(below.schema, [...path, ...below.path]);
  };
  visit(root, []);
  return notes;
}
