import type { ToolSpec } from "./tool-spec.ts";

/**
 * How a compiled function is called: the `implementation` of a spec of type `function` whose code tells no definition of its own.
 * It is hashed with the spec, so that what is pinned says what runs.
 */
export interface CompiledFunction {
  readonly compiled: true;
  /** A method of the exported class, or of the exported object; absent when the export is the function. */
  readonly method?: string;
  /** The method belongs to the class itself, which is not constructed. */
  readonly static?: true;
  /** Names of arguments in the order of the parameters; absent when the function takes them as one object. */
  readonly parameters?: readonly string[];
  /** The last of `parameters` is a list that is spread over the remaining places. */
  readonly rest?: true;
  /** Where the input has a `Date`: JSON Pointers in which `*` stands for every item or member. */
  readonly dates?: readonly string[];
  /** Where the output has one. */
  readonly outputDates?: readonly string[];
}

/** A tool whose definition was compiled from its source, and the export of the built module that does its work. */
export interface CompiledTool {
  /** Of the built module; `default` counts. */
  readonly export: string;
  /** Its `implementation` is a {@link CompiledFunction}. */
  readonly spec: ToolSpec;
}
