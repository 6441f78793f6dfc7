import type { JsonSchema } from "../../contract/json.ts";
import type { ToolMetadata, ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { isRecord } from "../../schema/is-record.ts";
import { compiledOf } from "../../schema/compiled-function.ts";
import { toJsonSchema } from "../../schema/to-json-schema.ts";
import { assertParameter, assertParameters } from "../assert-parameters.ts";
import { findMethod, isClass, type AnyFunction } from "../compiled/find-method.ts";
import { toSnakeCase } from "../to-snake-case.ts";
import { freezeSpec, NO_INPUT, toToolSpec } from "../to-tool-spec.ts";
import { toEffects } from "../tool-effects.ts";
import { withoutUndefined, type ToolFacts } from "../tool-facts.ts";
import type { MethodFacts } from "./method-facts.ts";
import type { ToolMethod } from "./tool-methods.ts";

/**
 * Makes the spec of a tool method from what its author said and, where it has no schema, from its compiled spec. The class is not
 * constructed.
 * @throws AiwError `tool_definition_invalid` or `schema_not_convertible`, naming what to change.
 */
export function toMethodSpec(owner: object, declared: ToolMethod, compiled?: ToolSpec): ToolSpec {
  const { facts } = declared;
  const { input, inputSchema, output } = facts;
  const isSilent = (inputSchema ?? input) === undefined;
  if (isSilent && compiled !== undefined) return layOver(compiled, facts);
  if (isSilent) assertNoParameters(owner, declared);
  assertConstructible(owner, declared);
  const named = { ...facts, name: toMethodName(declared) };
  assertDescribed(named, declared);
  const spec = toToolSpec({
    facts: named,
    inputSchema: describe(inputSchema ?? (input === undefined ? NO_INPUT : toJsonSchema(input, "input")), named),
    outputSchema: output && toJsonSchema(output, "output"),
    assess: false,
  });
  if (facts.parameters !== undefined) assertParameters(facts.parameters, spec);
  return spec;
}

/** The name of a tool whose author gave none, unless a compiled spec does. */
export function toMethodName({ facts, method }: ToolMethod): string {
  return facts.name ?? toSnakeCase(method);
}

/** True for the spec that was compiled from this method, or from one of its name. */
export function isCompiledFrom(spec: ToolSpec, { method, isStatic }: ToolMethod): boolean {
  const called = compiledOf(spec);
  return called?.method === method && (called.static === true) === isStatic;
}

/** What the author said in code counts; said again, it changes nothing. */
function layOver(spec: ToolSpec, facts: MethodFacts): ToolSpec {
  const { name, title, description, instructions, output, parameters } = facts;
  const { outputDates, ...called } = compiledOf(spec) ?? { compiled: true };
  return freezeSpec(
    withoutUndefined({
      ...spec,
      ...withoutUndefined({ name, title, description, instructions }),
      inputSchema: describe(spec.inputSchema, { ...facts, name: name ?? spec.name }),
      outputSchema: output === undefined ? spec.outputSchema : toJsonSchema(output, "output"),
      metadata: layOverMetadata(spec.metadata, facts),
      implementation: withoutUndefined({
        ...called,
        parameters: parameters ?? called.parameters,
        // They are places of the output that was inferred.
        outputDates: output === undefined ? outputDates : undefined,
      }),
    }),
  );
}

function layOverMetadata(metadata: ToolMetadata, facts: MethodFacts): ToolMetadata {
  const { version, category, tags, permissions, requiresApproval, timeoutMs, display, custom, effects } = facts;
  return {
    ...metadata,
    ...withoutUndefined({ version, category, tags, permissions, requiresApproval, timeoutMs, display, custom }),
    ...(effects !== undefined && { effects: toEffects(effects) }),
  };
}

function describe(
  schema: JsonSchema,
  { name, parameterDescriptions = {} }: Pick<MethodFacts, "parameterDescriptions"> & { readonly name: string },
): JsonSchema {
  if (!isRecord(parameterDescriptions))
    throw invalid(`The parameterDescriptions of ${name} are no object.`, 'Write { city: "…" }.');
  const descriptions = Object.entries(parameterDescriptions);
  if (descriptions.length === 0) return schema;
  for (const [parameter] of descriptions) assertParameter(parameter, { name, inputSchema: schema });
  const properties = Object.entries(schema.properties ?? {}).map(([parameter, property]) => {
    const description = Object.hasOwn(parameterDescriptions, parameter) ? parameterDescriptions[parameter] : undefined;
    if (description === undefined) return [parameter, property];
    return [parameter, { ...toObjectSchema(property), description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as NonNullable<JsonSchema["properties"]> };
}

/** Described or not, what is never allowed stays so. */
function toObjectSchema(schema: JsonSchema | boolean): JsonSchema {
  if (typeof schema === "object") return schema;
  return schema ? {} : { not: {} };
}

const HOW_TO_SAY_PARAMETERS =
  "Give it @tool({ input: z.object({ … }) }), or let aiw build compile it: export the class, or pass what was written, toolsOf(instance, { specs }).";

function assertNoParameters(owner: object, { method, isStatic, facts }: ToolMethod): void {
  const run = requireMethod(isClass(owner) && !isStatic ? owner.prototype : owner, method);
  if (takesNothing(run) && (facts.parameters ?? []).length === 0) return;
  throw invalid(
    `The tool method ${method} of ${nameOf(owner)} takes arguments and has neither a schema nor a compiled definition.`,
    HOW_TO_SAY_PARAMETERS,
  );
}

/** Only the compiler knows which arguments may be left out. */
function assertConstructible(owner: object, { isStatic }: ToolMethod): void {
  if (isStatic || !isClass(owner) || takesNoArguments(owner)) return;
  throw invalid(
    `The constructor of ${nameOf(owner)} needs arguments, and there are none.`,
    "Give every argument a default, or export an instance, or toolsOf(instance).",
  );
}

function takesNoArguments(owner: object): boolean {
  return (owner as { readonly length?: unknown }).length === 0;
}

/**
 * Gives a tool method of what has it.
 * @throws AiwError `tool_definition_invalid`
 */
export function requireMethod(holder: object, method: string): AnyFunction {
  const run = findMethod(holder, method);
  if (run !== undefined) return run;
  throw invalid(
    `${nameOf(holder)} has no method ${method} any more.`,
    "Keep tool methods methods: fields and accessors of the same name hide them.",
  );
}

/** Parameters with defaults are not counted in `length`, so the text has to say that there are none. */
function takesNothing(run: AnyFunction): boolean {
  return run.length === 0 && /^[^(]*\(\s*\)/.test(Function.prototype.toString.call(run));
}

function assertDescribed(
  facts: MethodFacts & { readonly name: string },
  declared: ToolMethod,
): asserts facts is ToolFacts {
  if (facts.description !== undefined) return;
  throw invalid(
    `The tool method ${declared.method} has no description.`,
    "Give it @tool({ description }) that tells a model what it does, or a comment and a compiled definition (aiw build, toolsOf(instance, { specs })).",
  );
}

/** A class's own name, also through its instance. */
export function nameOf(owner: object): string {
  const made: unknown = typeof owner === "function" ? owner : owner.constructor;
  return (typeof made === "function" && made.name) || "the class";
}

function invalid(message: string, fix: string): AiwError {
  return new AiwError("tool_definition_invalid", message, { fix });
}
