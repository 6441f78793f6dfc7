import type { ToolContext } from "./tool-context.ts";
import type { ToolResult } from "./tool-result.ts";
import type { ToolEffects, ToolSpec } from "./tool-spec.ts";

/** The contract this package speaks; hosts refuse tools of a newer one. */
export const CONTRACT_VERSION = 1;

/** Marks tools across copies of this package. */
export const TOOL_BRAND: unique symbol = Symbol.for("@aiw/core/tool");

/** Marks tool packages across copies of this package. */
export const TOOL_PACKAGE_BRAND: unique symbol = Symbol.for("@aiw/core/tool-package");

/** A tool's verdict on these arguments, given before anything runs. */
export interface Assessment {
  /** `deny` is final; `ask` needs a person and no rule lifts it; `allow` leaves the effects to policy. */
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
  readonly rule?: string;
  /** What this call does; replaces the spec's effects when policy judges the call. */
  readonly effects?: ToolEffects;
  /**
   * What the call touches, for locks, approval and the conversation's record: `scheme:name`, such as `file:/srv/app/a.ts`,
   * `folder:/srv/app` (with all below it) or `db:orders`. Equal texts are one thing; paths are absolute and free of links.
   */
  readonly resources?: readonly string[];
  /**
   * The `ToolError` this call would end with as things are. It is the result where a person would be asked, who is spared the question;
   * where nobody need be asked the call runs, for a call before it may change that.
   */
  readonly failure?: Error;
  /** What a person who is asked should see of what the call would do, line by line: a diff. */
  readonly preview?: readonly string[];
}

/** One thing an author's schema refused; `path` leads to it. */
export interface ParseIssue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
}

/** What an author's schema made of a value. */
export type Parsed<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly ParseIssue[] };

/** An author's schema as a function; JSON Schema has been checked before. */
export type Parse<Value> = (value: unknown) => Parsed<Value> | Promise<Parsed<Value>>;

/** What `execute` may give back: the output, or chunks of it followed by the output. */
export type ToolOutput<Output> = Output | Promise<Output> | AsyncGenerator<string, Output> | Generator<string, Output>;

/** A spec and the code that keeps its promise. */
export interface Tool<Input = unknown, Output = unknown, Options = unknown> {
  readonly [TOOL_BRAND]: true;
  readonly contractVersion: number;
  readonly spec: ToolSpec;
  /** Turns checked arguments into what `execute` receives: defaults, refinements, transforms. */
  readonly parseInput?: Parse<Input>;
  readonly parseOutput?: Parse<Output>;
  readonly parseOptions?: Parse<Options>;
  /** Present while the code is not loaded yet: gives the tool that has it. */
  load?(): Promise<Tool>;
  execute(input: Input, context: ToolContext<Options>): ToolOutput<Output>;
  /** Must not have effects; a `ToolError` it throws is the call's result, and nobody is asked. */
  assess?(input: Input, context: ToolContext<Options>): Assessment | Promise<Assessment>;
  /** Lines of fact for a person, failures included. */
  preview?(result: ToolResult<Output>, maxLines: number): string[];
}

/** Tools that share options. */
export interface ToolPackage {
  readonly [TOOL_PACKAGE_BRAND]: true;
  readonly contractVersion: number;
  /** JSON Schema of the options, as data for the static manifest. */
  readonly optionsSchema?: ToolSpec["inputSchema"];
  readonly tools: readonly Tool[];
}

/** Recognises a tool from any copy of this package, whatever its contract version. */
export function isTool(value: unknown): value is Tool {
  return isBranded(value, TOOL_BRAND) && "spec" in value && "execute" in value;
}

/** Recognises a tool package from any copy of this package, whatever its contract version. */
export function isToolPackage(value: unknown): value is ToolPackage {
  return isBranded(value, TOOL_PACKAGE_BRAND) && "tools" in value;
}

/** Recognises output that streams: what an async or a plain generator function gave. */
export function isGenerator(value: unknown): value is AsyncGenerator<unknown> | Generator<unknown> {
  if (typeof value !== "object" || value === null) return false;
  const candidate = value as Partial<AsyncGenerator>;
  return (
    typeof candidate.next === "function" &&
    typeof candidate.return === "function" &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}

function isBranded(value: unknown, brand: symbol): value is object {
  return typeof value === "object" && value !== null && brand in value;
}
