import type { CompiledFunction, CompiledTool } from "@aiw/core";
import type { CompileResult } from "../compile-result.ts";
import { compileTools } from "../create-compiler.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { createMemoryFiles, type MemoryFiles } from "./memory-files.ts";

/** What the compiler looks for in `@aiw/core`, and nothing else of it. */
const CORE = `
export interface ToolContext<Options = unknown> { readonly callId: string; readonly options: Options }
export interface Tool<Input = unknown, Output = unknown> { readonly spec: object; execute(input: Input): Output }
export interface ToolPackage { readonly tools: readonly Tool[] }
export declare function defineTool(definition: object): Tool;
export declare function defineToolPackage(definition: object): ToolPackage;
export declare abstract class BaseTool<Input = unknown, Output = unknown> {
  abstract readonly name: string;
  protected abstract executeImpl(args: Input): Promise<Output>;
  execute(input: Input): Promise<Output>;
}
export declare function tool(facts?: object): (method: (this: never, ...args: never[]) => unknown, context: ClassMethodDecoratorContext) => void;
export declare function tool(method: (this: never, ...args: never[]) => unknown, context: ClassMethodDecoratorContext): void;
`;

/** A package in memory whose folder is `/p`; file names are relative to it. */
export function createPackage(files: Readonly<Record<string, string>>): MemoryFiles {
  return createMemoryFiles({
    "/p/package.json": '{ "name": "p", "version": "1.0.0", "type": "module" }',
    "/p/node_modules/@aiw/core/package.json": '{ "name": "@aiw/core", "type": "module", "types": "./index.d.ts" }',
    "/p/node_modules/@aiw/core/index.d.ts": CORE,
    ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`/p/${file}`, text])),
  });
}

/** Compiles one text as the entry of a package, beside other files; most describe no parameter, of which nothing is said here. */
export function compileSource(source: string, others: Readonly<Record<string, string>> = {}): CompileResult {
  const result = compileWhole(source, others);
  return { ...result, diagnostics: result.diagnostics.filter(({ code }) => code !== "parameter_undescribed") };
}

/** The same, with all that is said. */
export function compileWhole(source: string, others: Readonly<Record<string, string>> = {}): CompileResult {
  const files = createPackage({ "src/index.ts": source, ...others });
  return compileTools({ packageDir: "/p", source: "./src/index.ts", files });
}

/** The tool of a source that has one; what was said against it is thrown. */
export function compileOne(source: string, others: Readonly<Record<string, string>> = {}): CompiledTool {
  const { tools, diagnostics } = compileSource(source, others);
  const [tool] = tools;
  if (tool === undefined || tools.length > 1) throw new Error(`${tools.length} tools: ${JSON.stringify(diagnostics)}`);
  return tool;
}

/** How the tool of a source is called. */
export function implementationOf(source: string): CompiledFunction {
  return compileOne(source).spec.implementation as CompiledFunction;
}

/** Places and codes: `src/index.ts:1:17 error name_illegal`. */
export function placesOf({ diagnostics }: CompileResult): string[] {
  return diagnostics.map(toPlace);
}

function toPlace({ file, line, column, severity, code }: Diagnostic): string {
  return `${file.replace("/p/", "")}:${line}:${column} ${severity} ${code}`;
}
