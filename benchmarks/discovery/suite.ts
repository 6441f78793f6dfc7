import type { Suite } from "../src/bench.ts";

/** Which tools a project has: whole processes and their parts. */
export const suite: Suite = {
  summary: "which tools a project has, by its number of dependencies",
  async *create() {},
};
