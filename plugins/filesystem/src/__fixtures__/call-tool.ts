import { runTool, type Tool, type ToolFailure } from "@aiw/core";
import { assertFailure, assertSuccess, fakeContext, temporaryWorkspace, type FakeContext, type TemporaryWorkspace } from "@aiw/testkit";

/** A folder and a conversation for one test. */
export interface Bench extends AsyncDisposable {
  readonly folder: TemporaryWorkspace;
  readonly fake: FakeContext;
  /** Calls a tool that must succeed. */
  ok<Input, Output, Options>(tool: Tool<Input, Output, Options>, input: object): Promise<Output>;
  /** Calls a tool that must fail. */
  fail<Input, Output, Options>(tool: Tool<Input, Output, Options>, input: object): Promise<ToolFailure>;
}

/** What a bench differs in from the usual one. */
export interface BenchOptions {
  readonly maxResultCharacters?: number;
}

/** Makes a folder with the files given, and a conversation whose workspace it is. */
export async function openBench(
  files: { readonly [path: string]: string | Uint8Array } = {},
  options: BenchOptions = {},
): Promise<Bench> {
  const folder = await temporaryWorkspace(files);
  const fake = fakeContext({ workspace: folder, ...options });
  return {
    folder,
    fake,
    async ok(tool, input) {
      const result = await runTool(tool, input, fake.environment);
      assertSuccess(result);
      return result.value;
    },
    async fail(tool, input) {
      const result = await runTool(tool, input, fake.environment);
      assertFailure(result);
      return result;
    },
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
