import type { Executor } from "./executor.ts";

/** Runs tools whose code is in this process. */
export const functionExecutor: Executor = Object.freeze<Executor>({
  execute: ({ tool, arguments: input }, context) => tool.execute(input, context),
});
