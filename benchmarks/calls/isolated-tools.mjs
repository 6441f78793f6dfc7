// The tools of the cases, as a package brings them.
import { defineTool, defineToolPackage } from "@aiw/core";
import { CASES } from "./cases.mjs";

const tools = Object.values(CASES).map(({ name, description, schema, execute }) =>
  defineTool({ name, description, input: schema, effects: "pure", execute }),
);

export const isolatedTools = defineToolPackage({ tools });
