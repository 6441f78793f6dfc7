import type { JsonObject, JsonSchema } from "../contract/json.ts";
import { MAX_DESCRIPTION_LENGTH, type ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { freezeDeep } from "../schema/freeze-deep.ts";
import { toDraft2020 } from "../schema/to-draft-2020.ts";
import { MCP } from "./targets/mcp.ts";
import { OPENAI } from "./targets/openai.ts";
import { OPENROUTER } from "./targets/openrouter.ts";
import type { Format, Loss, Target, WireSchema } from "./targets/target.ts";
import { toWireName } from "./wire-names.ts";

const MAX_DEFINITION_BYTES = 8 * 1024;

/** A format definitions can be compiled to; a new one is one file, and one word here. */
export type DefinitionFormat = Extract<Format, "openai" | "openrouter" | "mcp">;

const TARGETS: { readonly [format in DefinitionFormat]: Target } = { openai: OPENAI, openrouter: OPENROUTER, mcp: MCP };

/** The formats definitions can be compiled to. */
export const DEFINITION_FORMATS: readonly DefinitionFormat[] = Object.freeze(["openai", "openrouter", "mcp"]);

/** Recognises the name of a format. */
export function isDefinitionFormat(format: unknown): format is DefinitionFormat {
  return typeof format === "string" && Object.hasOwn(TARGETS, format);
}

/** Settings of a compilation. */
export interface CompileOptions {
  readonly format: DefinitionFormat;
  /** For `openai`: the flat form of the Responses endpoint; `chat` unless named. */
  readonly shape?: "chat" | "responses";
}

/** Something an author or operator may want to change. */
export interface DefinitionFinding {
  readonly code: "description_too_long" | "definition_too_large" | "loss_not_said" | "list_too_large" | "many_tools";
  readonly message: string;
  readonly tool?: string;
}

/** A tool as a model is told of it. */
export interface CompiledDefinition {
  /** On the wire. */
  readonly name: string;
  /** Ready to send. */
  readonly definition: JsonObject;
  /** What the model sees; adapters take this. */
  readonly schema: JsonSchema;
  readonly losses: readonly Loss[];
  readonly warnings: readonly DefinitionFinding[];
  /** Of the definition as JSON in UTF-8. */
  readonly bytes: number;
  /** Undoes what the format changed in the arguments; never coerces, never throws. */
  normalizeInput(input: unknown): unknown;
}

/** A tool that cannot be said in the format; the others go out. */
export interface OmittedDefinition {
  readonly name: string;
  readonly reason: string;
  readonly fix: string;
}

/** Tells a tool that is left out. */
export function isOmitted(compiled: CompiledDefinition | OmittedDefinition): compiled is OmittedDefinition {
  return "reason" in compiled;
}

/**
 * Finds the target of a format; names come from configuration too, so unknown ones arrive.
 * @throws AiwError `format_unsupported` naming those there are.
 */
export function resolveTarget(format: string): Target {
  const known = new Map<string, Target>(Object.entries(TARGETS));
  const target = known.get(format);
  if (target !== undefined) return target;
  throw new AiwError("format_unsupported", `Definitions cannot be compiled to the format ${JSON.stringify(format)}.`, {
    fix: `Use one of: ${[...known.keys()].toSorted().join(", ")}.`,
  });
}

const memory = new WeakMap<ToolSpec, Map<string, CompiledDefinition | OmittedDefinition>>();

/**
 * Compiles a spec for one format; the same spec and options give the same object.
 * @throws AiwError `format_unsupported`.
 */
export function compileDefinition(spec: ToolSpec, options: CompileOptions): CompiledDefinition | OmittedDefinition {
  const target = resolveTarget(options.format);
  const key = `${options.format} ${options.shape ?? ""}`;
  const known = memory.get(spec)?.get(key);
  if (known !== undefined) return known;
  const compiled = Object.freeze(compile(spec, target, options));
  // A spec that may still change has nothing to remember.
  if (Object.isFrozen(spec)) memory.set(spec, (memory.get(spec) ?? new Map()).set(key, compiled));
  return compiled;
}

function compile(spec: ToolSpec, target: Target, options: CompileOptions): CompiledDefinition | OmittedDefinition {
  const name = toWireName(spec.name);
  const wire = target.toWireSchema(toDraft2020(spec.inputSchema));
  if ("reason" in wire) return { name, reason: wire.reason, fix: wire.fix };
  const { description, said } = describeTool(spec.description, wire.rootPhrases);
  const schema = freezeDeep(structuredClone(wire.schema));
  const definition = freezeDeep(
    target.toDefinition({ spec, name, description, schema, flat: options.shape === "responses" }),
  );
  const bytes = new TextEncoder().encode(JSON.stringify(definition)).length;
  return {
    name,
    definition,
    schema,
    losses: Object.freeze(
      wire.losses.map((loss) => Object.freeze<Loss>(said || !isRootLoss(loss) ? loss : { ...loss, kept: "validator" })),
    ),
    warnings: freezeDeep(findWarnings({ name, description, bytes, said })),
    bytes,
    normalizeInput: (input) => normalize(input, wire),
  };
}

/** Root losses use what is left of the tool's own characters. */
function describeTool(
  description: string,
  phrases: readonly string[],
): { readonly description: string; readonly said: boolean } {
  if (phrases.length === 0) return { description, said: true };
  const whole = `${description} [${phrases.join("; ")}]`;
  return whole.length <= MAX_DESCRIPTION_LENGTH ? { description: whole, said: true } : { description, said: false };
}

function isRootLoss({ pointer }: Loss): boolean {
  return pointer.lastIndexOf("/") === 0;
}

interface Measures {
  readonly name: string;
  readonly description: string;
  readonly bytes: number;
  readonly said: boolean;
}

function findWarnings({ name, description, bytes, said }: Measures): DefinitionFinding[] {
  const warnings: DefinitionFinding[] = [];
  const warn = (code: DefinitionFinding["code"], message: string): void => {
    warnings.push({ code, message, tool: name });
  };
  if (description.length > MAX_DESCRIPTION_LENGTH) {
    warn(
      "description_too_long",
      `The description of ${name} has ${description.length} characters; endpoints refuse more than ${MAX_DESCRIPTION_LENGTH}. Move detail to the parameters.`,
    );
  }
  if (bytes > MAX_DEFINITION_BYTES)
    warn(
      "definition_too_large",
      `The definition of ${name} has ${bytes} bytes; shorten it below ${MAX_DEFINITION_BYTES}.`,
    );
  if (!said) warn("loss_not_said", `The description of ${name} has no room left to say what its schema's root lost.`);
  return warnings;
}

function normalize(input: unknown, { restore }: WireSchema): unknown {
  return input === undefined || input === null || input === "" ? {} : restore(input);
}
