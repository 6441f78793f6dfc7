import type { ToolContext } from "../../contract/tool-context.ts";
import { CONTRACT_VERSION } from "../../contract/tool.ts";
import type { InferSchema } from "../../schema/infer-schema.ts";
import type { ToolSchema } from "../../schema/to-json-schema.ts";
import type { MethodFacts } from "./method-facts.ts";
import { recordToolMethod } from "./tool-methods.ts";

/** What a tool method gives: the output later, or chunks of it followed by the output. */
export type MethodOutput<Output> = Promise<Output> | AsyncGenerator<string, Output>;

/** A method that can become a tool; without a schema, and for arguments taken one by one, its types are its own word. */
export type ToolMethodFunction<Input, Output, Names> = Input extends ToolSchema
  ? Names extends readonly string[]
    ? (this: never, ...args: never[]) => MethodOutput<Output>
    : (this: never, input: InferSchema<Input>, context: ToolContext<never>) => MethodOutput<Output>
  : (this: never, ...args: never[]) => MethodOutput<Output>;

/** What `@tool({ … })` does to a method: it stays as it is, and its class remembers it. */
export type ToolMethodDecorator<Method> = (method: Method, context: ClassMethodDecoratorContext) => void;

type AnyMethod = (this: never, ...args: never[]) => MethodOutput<unknown>;

/**
 * Declares an asynchronous method of a class a tool; `toolsOf` makes the tools. It is called like the method, in snake_case,
 * unless named.
 * @throws TypeError for what is no asynchronous method with a public name.
 */
export function tool<
  const Input extends ToolSchema | undefined = undefined,
  Output = unknown,
  const Names extends readonly string[] | undefined = undefined,
>(facts?: MethodFacts<Input, Output, Names>): ToolMethodDecorator<ToolMethodFunction<Input, Output, Names>>;
export function tool(method: AnyMethod, context: ClassMethodDecoratorContext): void;
export function tool(
  given: MethodFacts | AnyMethod = {},
  context?: ClassMethodDecoratorContext,
): ToolMethodDecorator<AnyMethod> | void {
  if (typeof given === "function" || context !== undefined) return declare({}, given, context);
  if (typeof given !== "object" || given === null)
    throw new TypeError('@tool takes an object of facts: @tool({ description: "…" }).');
  return (method, inside) => declare(given, method, inside);
}

function declare(facts: MethodFacts, method: unknown, context: ClassMethodDecoratorContext | undefined): void {
  const { kind, name, private: isPrivate, static: isStatic, metadata } = readContext(context);
  const shown = String(name);
  if (kind !== "method")
    throw new TypeError(`@tool cannot decorate the ${kind} ${shown}: put it before an async method.`);
  if (isPrivate) throw new TypeError(`@tool cannot decorate the private method ${shown}: no host could call it.`);
  if (typeof name !== "string")
    throw new TypeError(`@tool cannot decorate ${shown}: a tool's method has a name that is text.`);
  if (!isAsync(method)) {
    throw new TypeError(
      `The tool method ${shown} must be async: write \`async ${shown}(…)\` or \`async *${shown}(…)\`, with @tool nearest to it, and compile for ES2018 or later.`,
    );
  }
  recordToolMethod(metadata, {
    method: name,
    isStatic,
    facts: Object.freeze({ ...facts }),
    contractVersion: CONTRACT_VERSION,
  });
}

function readContext(context: ClassMethodDecoratorContext | undefined): ClassMethodDecoratorContext {
  if (typeof context !== "object" || context === null) {
    throw new TypeError("@tool is a standard decorator: compile without `experimentalDecorators`.");
  }
  if (typeof context.metadata === "object" && context.metadata !== null) return context;
  throw new TypeError(
    "@tool needs Symbol.metadata, which is missing: compile with TypeScript 5.2, esbuild 0.21 or later.",
  );
}

/** What a function really is; an async one that was compiled away is none. */
function isAsync(method: unknown): boolean {
  const kind = Object.prototype.toString.call(method);
  return kind === "[object AsyncFunction]" || kind === "[object AsyncGeneratorFunction]";
}
