import type { JsonSchema } from "@aiw/core";
import type { ts } from "@ts-morph/common";
import type { Diagnostic } from "../diagnostic.ts";
import type { Definitions } from "./definitions.ts";

/** What the documentation of one declaration says. */
export interface SymbolDocs {
  /** Plain text for the model. */
  readonly description?: string;
  /** Keywords of its tags: `@minimum`, `@pattern`, `@format`, `@default`, `@examples` …; `type: "integer"` of `@integer` or `@asType integer`. */
  readonly constraints: JsonSchema;
  /** Where keywords of `constraints` are written, if they are tags. */
  readonly written?: ReadonlyMap<string, ts.Node>;
  /** True, or what to use instead. */
  readonly deprecated?: string | true;
}

/** Reads documentation comments. */
export interface DocReader {
  describe(symbol: ts.Symbol): SymbolDocs;
}

/** A remark at a node; whoever receives it adds file, line, column and tool. */
export interface SchemaRemark extends Omit<Diagnostic, "file" | "line" | "column" | "tool"> {
  readonly node: ts.Node;
}

/** Input is what a model writes: closed. Output is what a tool gives: open, and undefined members are dropped. */
export type SchemaDirection = "input" | "output";

/** What is known while the schemas of one side of one tool are made. */
export interface SchemaContext {
  readonly checker: ts.TypeChecker;
  readonly direction: SchemaDirection;
  readonly docs: DocReader;
  report(remark: SchemaRemark): void;
  /** Receives JSON Pointers into the value, `*` for every item or member, where the code has a `Date`. */
  readonly dates: string[];
  /** Of `createDefinitions()`; one for each side of each tool, shared by its calls of `toSchema`. */
  readonly definitions: Definitions;
  /** Where the value stands in the arguments, such as `["city"]`; absent at the root. */
  readonly path?: readonly string[];
  /** What is said of the value itself where it is declared, such as `@param city`: laid over what its type says, and checked against it. */
  readonly own?: SymbolDocs;
}
