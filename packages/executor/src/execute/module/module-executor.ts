import { dataToolOrigin, ToolError, type Tool, type ToolContext, type ValidatedCall } from "@aiw/core";
import { invalidImplementation } from "../data/invalid-implementation.ts";
import { compileOnce } from "../data/compile-once.ts";
import { readImplementation, readText } from "../data/read-implementation.ts";
import type { Executor } from "../executor.ts";
import { resolveModule } from "./resolve-module.ts";

type ToolFunction = (input: unknown, context: ToolContext) => unknown;

interface ModuleImplementation {
  readonly module: string;
  /** `default` unless named. */
  readonly exported: string;
}

/**
 * Makes the executor of type `module`, whose specs say `{ "module": "./add.js", "export": "add" }`: the function is loaded at
 * the first call and gets the arguments and the context; it may be sync, async or a generator.
 */
export function moduleExecutor(): Executor {
  const compile = compileOnce(({ spec }) => readModule(spec));
  const loaded = new WeakMap<Tool, ToolFunction>();
  return Object.freeze<Executor>({
    assertRunnable: ({ tool }) => void compile(tool),
    execute: ({ tool, arguments: input }, context) => {
      const known = loaded.get(tool);
      if (known !== undefined) return known(input, context);
      return loadFunction(tool, compile(tool)).then((run) => {
        loaded.set(tool, run);
        // An abort while code loaded must not be followed by its effects.
        context.signal.throwIfAborted();
        return run(input, context);
      });
    },
  });
}

function readModule(spec: ValidatedCall["tool"]["spec"]): ModuleImplementation {
  const members = readImplementation(spec, ["module", "export"]);
  const module = readText(members, "module");
  if (module === undefined) throw invalidImplementation("module", "must name a module");
  return { module, exported: readText(members, "export") ?? "default" };
}

async function loadFunction(tool: Tool, { module, exported }: ModuleImplementation): Promise<ToolFunction> {
  const url = resolveModule(module, dataToolOrigin(tool) ?? { readsEnvironment: false });
  const namespace = await importModule(url);
  // What a CommonJS module exports may be known as its default alone.
  const run = memberOf(namespace, exported) ?? memberOf(namespace["default"], exported);
  if (typeof run === "function") return run as ToolFunction;
  const functions = Object.keys(namespace).filter((name) => typeof namespace[name] === "function");
  throw new ToolError(
    "load_failed",
    `${module} ${run === undefined ? "has no export" : "has no function"} ${JSON.stringify(exported)}.`,
    {
      suggestion:
        functions.length === 0
          ? "Ask whoever wrote the module to export the function."
          : `Ask whoever wrote the spec to name one of its functions: ${functions.slice(0, 10).join(", ")}.`,
    },
  );
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

async function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("load_failed", `The tool's module cannot be loaded: ${reason.slice(0, 500)}`, {
      cause,
      // Node keeps a module that failed, so mending the file changes nothing here.
      suggestion: "Ask the operator to correct the module and to start the process again.",
    });
  }
}
