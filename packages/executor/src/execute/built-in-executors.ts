import { ToolError } from "@aiw/core";
import type { Executor } from "./executor.ts";
import { functionExecutor } from "./function-executor.ts";
import type { HttpExecutorOptions, HttpGrants } from "./http/http-executor.ts";
import type { ShellGrants } from "./shell/shell-executor.ts";

/** What an operator grants to tools that are data; nothing unless named. */
export interface ExecutorGrants {
  readonly http?: Omit<HttpGrants, "secrets" | "environment">;
  readonly shell?: Omit<ShellGrants, "secrets" | "environment">;
  /** Variables of the host that specs of a package may refer to by `{ "$env": "NAME" }`, by package key. */
  readonly secrets?: { readonly [packageKey: string]: readonly string[] };
}

/** How the executors every host has are made. */
export interface BuiltInExecutorOptions {
  /** The grants, or what gives those that hold now. */
  readonly grants?: ExecutorGrants | (() => ExecutorGrants);
  /** Further headers for every request of a call of type `http`; the spec's own win. */
  readonly headersOf?: HttpExecutorOptions["headersOf"];
}

/** Makes the executors every host has, by type; those that need Node load at their first call. */
export function builtInExecutors({ grants = {}, headersOf }: BuiltInExecutorOptions = {}): {
  readonly [type: string]: Executor;
} {
  const granted = typeof grants === "function" ? grants : (): ExecutorGrants => grants;
  const grantsOf = (part: "http" | "shell"): HttpGrants & ShellGrants => {
    const { secrets, [part]: own } = granted();
    return { ...own, ...(secrets !== undefined && { secrets }) };
  };
  return {
    function: functionExecutor,
    module: onFirstUse("module", async () => (await import("./module/module-executor.ts")).moduleExecutor()),
    http: onFirstUse("http", async () => {
      const { httpExecutor } = await import("./http/http-executor.ts");
      return httpExecutor({ grants: () => grantsOf("http"), ...(headersOf !== undefined && { headersOf }) });
    }),
    shell: onFirstUse("shell", async () => {
      const { shellExecutor } = await import("./shell/shell-executor.ts");
      return shellExecutor({ grants: () => grantsOf("shell") });
    }),
  };
}

/** An executor whose code loads when a call needs it, since the door opens on runtimes where it could not. */
function onFirstUse(type: string, load: () => Promise<Executor>): Executor {
  let loading: Promise<Executor> | undefined;
  let loaded: Executor | undefined;
  const ready = (): Promise<Executor> => {
    loading ??= load().then(
      (executor) => (loaded = executor),
      (cause: unknown) => {
        loading = undefined;
        throw new ToolError("executor_missing", `Tools of type ${JSON.stringify(type)} run on Node alone.`, { cause });
      },
    );
    return loading;
  };
  return Object.freeze<Executor>({
    assertRunnable: (call) =>
      loaded === undefined
        ? ready().then((executor) => executor.assertRunnable?.(call))
        : loaded.assertRunnable?.(call),
    execute: (call, context) =>
      loaded === undefined
        ? ready().then((executor) => executor.execute(call, context))
        : loaded.execute(call, context),
  });
}
