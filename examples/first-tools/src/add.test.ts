import { runTool } from "@aiw/core";
import { expect, it } from "vitest";
import { add } from "./add.ts";

it("adds", async () => {
  expect(await runTool(add, { a: 2, b: 40 })).toMatchObject({ success: true, value: 42 });
});

it("says what is wrong with a call", async () => {
  const result = await runTool(add, { a: "2" });
  expect(result).toMatchObject({ success: false, status: "error", code: "invalid_input" });
  expect(result.error).toContain("b: required, missing");
});
