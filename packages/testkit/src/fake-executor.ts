import { ToolError, type ToolContext, type ValidatedCall } from "@aiw/core";

/** What a fake gives for the calls of one tool: a value, or what makes it of the arguments. */
export type FakeAnswer = unknown | ((input: unknown, context: ToolContext) => unknown);

/** An executor of any type that does no work. */
export interface FakeExecutor {
  /** The calls it was given, in order. */
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  execute(call: ValidatedCall, context: ToolContext): unknown;
}

/**
 * Makes an executor that answers by the name of the tool: `executor.registerExecutor("http", fakeExecutor({ get_user: { id: 1 } }))`.
 * A function is called with the arguments and the context, and may throw; a tool without an answer fails.
 */
export function fakeExecutor(answers: { readonly [toolName: string]: FakeAnswer }): FakeExecutor {
  const calls: { name: string; input: unknown }[] = [];
  return {
    calls,
    execute({ tool: { spec }, arguments: input }, context) {
      calls.push({ name: spec.name, input });
      if (!Object.hasOwn(answers, spec.name)) {
        throw new ToolError("failed", `The fake executor has no answer for ${spec.name}.`, {
          suggestion: `fakeExecutor({ ${JSON.stringify(spec.name)}: … })`,
        });
      }
      const answer = answers[spec.name];
      return typeof answer === "function"
        ? (answer as (input: unknown, context: ToolContext) => unknown)(input, context)
        : answer;
    },
  };
}
