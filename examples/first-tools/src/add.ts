import { defineTool } from "@aiw/core";
import { z } from "zod";

export const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.strictObject({ a: z.number().describe("The first number."), b: z.number().describe("The second number.") }),
  effects: "pure",
  execute: ({ a, b }) => a + b,
});
