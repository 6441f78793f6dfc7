import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runTool } from "../run/run-tool.ts";
import { defineFunction } from "./define-function.ts";

const PAIR = z.object({ a: z.number(), b: z.number().default(2) });

describe("defineFunction", () => {
  it("gives the arguments as one object, as every tool gets them", async () => {
    const tool = defineFunction(({ a, b }: { a: number; b: number }) => a * b, {
      name: "times",
      description: "Multiplies.",
      input: PAIR,
    });
    expect(await runTool(tool, { a: 4 })).toMatchObject({ success: true, value: 8 });
  });

  it("gives them one by one, in the order of the parameters named, and the context after them", async () => {
    function subtractNumbers(b: number, a: number, { callId }: { callId: string }): string {
      return `${a - b} ${callId}`;
    }
    const tool = defineFunction(subtractNumbers, {
      description: "Subtracts.",
      input: PAIR,
      parameters: ["b", "a"],
    });
    expect(tool.spec.name).toBe("subtract_numbers");
    expect(await runTool(tool, { a: 5 }, { callId: "c1" })).toMatchObject({ value: "3 c1" });
  });

  it.each([
    ["readFile2", "read_file2"],
    ["HTMLPage", "html_page"],
    ["snake_case", "snake_case"],
    ["getURLOfPage", "get_url_of_page"],
  ])("names %s %s", (given, expected) => {
    const run = Object.defineProperty(() => 1, "name", { value: given });
    expect(defineFunction(run, { description: "Does." }).spec.name).toBe(expected);
    expect(defineFunction(run.bind(undefined), { description: "Does." }).spec.name).toBe(expected);
  });

  it("runs asynchronous functions and streams what generators yield", async () => {
    const later = defineFunction(async () => Promise.resolve("done"), { name: "later", description: "Waits." });
    expect(await runTool(later, {})).toMatchObject({ value: "done" });
    async function* count(): AsyncGenerator<string, number> {
      yield "one";
      yield await Promise.resolve("two");
      return 2;
    }
    const counting = defineFunction(count, { description: "Counts." });
    const generator = counting.execute({}, {} as never) as AsyncGenerator<string, unknown>;
    expect(await generator.next()).toEqual({ done: false, value: "one" });
    expect(await runTool(counting, {})).toMatchObject({ value: 2 });
  });

  it.each<[string, () => unknown, string]>([
    ["an anonymous function", () => defineFunction(() => 1, { description: "x" }), "has no name"],
    ["no description", () => defineFunction(function go() {}, {} as never), "go has no description"],
    ["no facts at all", () => defineFunction(function go() {}, undefined as never), "go has no description"],
    [
      "arguments without a schema",
      () => defineFunction(function go(_x: unknown) {}, { description: "x" }),
      "takes arguments and has no schema",
    ],
    ["a class", () => defineFunction(class Go {} as never, { description: "x" }), "is a class"],
    ["what is no function", () => defineFunction("go" as never, { description: "x" }), "no function"],
    [
      "a parameter the schema lacks",
      () => defineFunction(function go() {}, { description: "x", input: PAIR, parameters: ["a", "c"] }),
      "parameter c",
    ],
    [
      "a required argument without a place",
      () => defineFunction(function go() {}, { description: "x", input: PAIR, parameters: ["b"] }),
      "requires a",
    ],
    [
      "a parameter twice",
      () => defineFunction(function go() {}, { description: "x", input: PAIR, parameters: ["a", "a"] }),
      "a twice",
    ],
    ["a name no tool can have", () => defineFunction(function größe() {}, { description: "x" }), "/name"],
  ])("refuses %s, saying what to change", (_what, define, message) => {
    expect(define).toThrow(
      expect.objectContaining({
        code: "tool_definition_invalid",
        message: expect.stringContaining(message),
        fix: expect.any(String),
      }),
    );
  });
});
