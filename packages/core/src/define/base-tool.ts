import type { JsonSchema } from "../contract/json.ts";
import { CONTRACT_VERSION, TOOL_BRAND, type Assessment, type Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import type { ErrorType, ToolResult } from "../contract/tool-result.ts";
import type { ToolInstructions, ToolMetadata, ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { toFlatResult, toOutput, type FlatFailure, type FlatResult, type FlatSuccess } from "./flat-result.ts";
import { toToolSpec } from "./to-tool-spec.ts";
import { withoutUndefined, type ToolFacts } from "./tool-facts.ts";
import type { EffectsDefinition } from "./tool-effects.ts";

/** A function definition as OpenAI-compatible endpoints take it. */
export interface FunctionDefinition {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
}

const specs = new WeakMap<object, ToolSpec>();
const contexts = new WeakMap<object, ToolContext>();
const captured = new WeakMap<object, Readonly<Record<string, unknown>>>();

/** The brand and version every instance has through its prototype; a class cannot declare a computed name itself. */
export interface BaseTool<Input, Output> extends Pick<Tool<Input, Output>, typeof TOOL_BRAND | "contractVersion"> {}

/**
 * A tool as a class: override `executeImpl`; `Input` is what the schema admits.
 * One instance serves concurrent calls, each on a view of its own, so `this` holds per-call state in `executeImpl`;
 * `#private` members are not reachable from a view: use `private` ones.
 */
export abstract class BaseTool<Input = { readonly [name: string]: unknown }, Output = unknown> {
  abstract readonly name: string;
  abstract readonly description: string;
  readonly title?: string;
  /** Asks a person before every call. */
  readonly requiresConfirmation: boolean = false;
  readonly suppressExecutionAnimation: boolean = false;
  /** JSON Schema of the arguments; absent means no parameters. */
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Unknown effects count as destructive and open-world. */
  readonly effects?: EffectsDefinition;
  readonly permissions: readonly string[] = [];
  readonly category?: string;
  readonly tags: readonly string[] = [];
  readonly instructions?: ToolInstructions;
  readonly timeoutMs?: number;
  readonly version?: string;
  /** Your own flags; filters read them. */
  readonly custom?: ToolMetadata["custom"];

  /** A verdict on these arguments, before anything runs; must not have effects. */
  assess?(input: Input, context: ToolContext<unknown>): Assessment | Promise<Assessment>;

  static {
    Object.assign(this.prototype, { [TOOL_BRAND]: true, contractVersion: CONTRACT_VERSION });
  }

  /**
   * The tool as data, made of the fields at first use.
   * @throws AiwError `tool_definition_invalid`
   */
  get spec(): ToolSpec {
    const known = specs.get(this);
    if (known !== undefined) return known;
    const spec = toToolSpec({
      facts: {
        ...factsOf(this),
        ...(this.requiresConfirmation && { requiresApproval: true }),
        ...(this.suppressExecutionAnimation && { display: { suppressExecutionAnimation: true } }),
      },
      inputSchema: this.getFunctionDefinition().function.parameters,
      outputSchema: this.outputSchema,
      assess: this.assess !== undefined,
    });
    specs.set(this, spec);
    return spec;
  }

  /** What a model is told; override it, or set `inputSchema`. */
  getFunctionDefinition(): FunctionDefinition {
    const parameters = this.inputSchema ?? { type: "object", properties: {}, additionalProperties: false };
    return { type: "function", function: { name: this.name, description: this.description, parameters } };
  }

  /** Runs one call on a view of this tool; what `formatErrorResponse` made is thrown as `ToolError`. */
  async execute(input: Input, context: ToolContext<unknown>): Promise<Output> {
    const view: this = Object.create(this);
    contexts.set(view, context as ToolContext);
    return toOutput(await runImpl(view, () => view.executeImpl(input))) as Output;
  }

  /** Lines of fact for a person. */
  preview(result: ToolResult<Output>, maxLines: number): string[] {
    return this.getResultPreview(toFlatResult(result), maxLines);
  }

  /** Does the work: returns the output, or what `formatSuccessResponse` and `formatErrorResponse` make. */
  protected abstract executeImpl(args: Input): Promise<Output | FlatResult>;

  /**
   * All the running call is given.
   * @throws AiwError `tool_definition_invalid` outside of `executeImpl`
   */
  protected get context(): ToolContext {
    const context = contexts.get(this);
    if (context !== undefined) return context;
    throw new AiwError("tool_definition_invalid", `${this.name}: a call's context exists only inside executeImpl.`);
  }

  /** Keeps the parameters that error messages of this call show; without it they are the arguments as given. */
  protected captureParams(params: Readonly<Record<string, unknown>>): void {
    captured.set(this, params);
  }

  /** Streams output while the tool runs. */
  protected emitOutputChunk(chunk: string, options?: { readonly channel?: string }): void {
    this.context.emitOutput(chunk, options);
  }

  protected formatSuccessResponse<Fields extends object>(fields: Fields): FlatSuccess & Fields {
    return { ...fields, success: true, error: "" };
  }

  protected formatErrorResponse(
    message: string,
    errorType: ErrorType = "system_error",
    suggestion?: string,
  ): FlatFailure {
    const params = captured.get(this);
    return {
      success: false,
      error: message,
      error_type: errorType,
      ...(suggestion !== undefined && { suggestion }),
      ...(params !== undefined && { parameters: params }),
    };
  }

  /** Shows a result to a person; override it to say what matters. */
  protected getResultPreview(result: FlatResult, maxLines: number = 3): string[] {
    if (!result.success) return String(result.error).split("\n").slice(0, maxLines);
    const { success: _success, error: _error, ...fields } = result;
    return Object.entries(fields)
      .slice(0, maxLines)
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  }
}

function factsOf(tool: BaseTool<never>): ToolFacts {
  const { title, effects, permissions, category, tags, instructions, timeoutMs, version, custom } = tool;
  const { name, description } = tool.getFunctionDefinition().function;
  return withoutUndefined({
    name,
    title,
    description,
    version,
    custom,
    effects,
    permissions,
    category,
    tags,
    instructions,
    timeoutMs,
  }) as ToolFacts;
}

/** A view has no `#private` members, and the engine's message for that helps nobody. */
async function runImpl<Answer>(tool: { readonly name: string }, impl: () => Promise<Answer>): Promise<Answer> {
  try {
    return await impl();
  } catch (error) {
    if (!(error instanceof TypeError && /private/i.test(error.message))) throw error;
    throw new AiwError(
      "tool_definition_invalid",
      `${tool.name}: executeImpl uses a #private member, which its per-call view does not have.`,
      {
        fix: "Declare the member with the keyword `private` instead of `#`.",
        cause: error,
      },
    );
  }
}
