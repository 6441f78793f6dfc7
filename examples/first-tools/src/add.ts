import { defineTool } from "@aiw/core";
import { z } from "zod";

export const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  effects: "pure",
  execute: ({ a, b }) => a + b,
});
