import { describe, expect, it, onTestFinished } from "vitest";
import { defineTool, type ToolDefinition } from "../define/define-tool.ts";
import { ToolError } from "../errors/tool-error.ts";
import { runTool } from "./run-tool.ts";

const BRAND = Symbol.for("@aiw/core/tool-error");

function tool(
  parts: Pick<ToolDefinition<{ type: "object" }, unknown, undefined>, "execute" | "preview">,
): ReturnType<typeof defineTool> {
  return defineTool({ name: "t", description: "T.", ...parts }) as ReturnType<typeof defineTool>;
}

function throwing(thrown: unknown): ReturnType<typeof defineTool> {
  return tool({
    execute() {
      throw thrown;
    },
  });
}

const trap = (): never => {
  throw new Error("trapped");
};
const hostile = new Proxy(
  {},
  { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap },
);

describe("toFailure", () => {
  it.each([
    ["a proxy", hostile],
    [
      "a branded error whose getters throw",
      Object.defineProperties(new Error("x"), { [BRAND]: { value: true }, code: { get: trap } }),
    ],
  ])("says of %s that it cannot be described", async (_what, thrown) => {
    expect(await runTool(throwing(thrown), {})).toMatchObject({
      success: false,
      status: "error",
      code: "internal_error",
      error_type: "system_error",
      settled: true,
    });
  });

  it("takes a forged error at its word only where the words are the contract's", async () => {
    const forged = Object.assign(new Error("x"), {
      [BRAND]: true,
      code: { a: 1 },
      status: "ok",
      type: 5,
      suggestion: ["y"],
      retryable: "yes",
      settled: 0,
      details: "text",
    });
    expect(await runTool(throwing(forged), {})).toMatchObject({
      success: false,
      status: "error",
      error: "t(): x",
      error_type: "system_error",
      code: "internal_error",
      suggestion: "y",
      retryable: false,
      settled: true,
      details: { details: "text" },
    });
  });

  it("keeps every word of a true one", async () => {
    const told = {
      suggestion: "Wait.",
      details: { a: 1 },
      status: "denied",
      type: "security_error",
      retryable: true,
      settled: false,
    } as const;
    expect(await runTool(throwing(new ToolError("own_code", "No.", told)), {})).toMatchObject({
      error: "t(): No.",
      code: "own_code",
      status: "denied",
      error_type: "security_error",
      suggestion: "Wait.",
      details: { a: 1 },
      retryable: true,
      settled: false,
    });
  });
});

describe("toSuccess", () => {
  it.each([
    ["a circle", circle()],
    ["a big integer", { n: 10n }],
    ["a proxy that throws", { inner: hostile }],
    ["an object without prototype", Object.assign(Object.create(null) as object, { a: 1 })],
    ["a value of a trillion parts", doubled(40)],
  ])("gives %s with a bounded preview", async (_what, value) => {
    const result = await runTool(tool({ execute: () => value }), {});
    expect(result).toMatchObject({ success: true });
    expect(result.preview.length).toBe(1);
    expect(result.preview[0]?.length).toBeLessThanOrEqual(200);
    expect(result.preview[0]).not.toBe("[object Object]");
  });

  it("shows preview lines as single lines that hide nothing", async () => {
    const preview = (): string[] => ["\u001B[2Ja\nb", "👩‍👩‍👧 ok", "c".repeat(10_000), "too many"];
    const { preview: lines } = await runTool(tool({ execute: () => 1, preview }), {});
    expect(lines).toEqual(["\\u{1b}[2Ja b", "👩‍👩‍👧 ok", `${"c".repeat(199)}…`]);
  });

  it("takes no word of a preview on the call", async () => {
    const result = await runTool(
      tool({
        execute: () => 1,
        preview(given) {
          Object.assign(given.call, { callId: "forged" });
          return [];
        },
      }),
      {},
      { callId: "true" },
    );
    expect(result.call.callId).toBe("true");
  });

  it("survives a preview that is async by mistake and fails", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
    const preview = (() => Promise.reject(new Error("late"))) as unknown as () => string[];
    expect((await runTool(tool({ execute: () => 1, preview }), {})).preview).toEqual(["1"]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(unhandled).toEqual([]);
  });
});

function circle(): object {
  const node: { self?: object } = {};
  node.self = node;
  return node;
}

function doubled(levels: number): unknown {
  let value: unknown = [1];
  for (let level = 0; level < levels; level += 1) value = [value, value];
  return value;
}
