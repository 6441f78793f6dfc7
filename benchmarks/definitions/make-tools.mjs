// The tools that every contender tells a model of: one schema each, three fields.
import { z } from "zod";

/** What is known of each tool before any framework sees it; the schemas are made before the clock starts. */
export function describeTools(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${String(index).padStart(5, "0")}`,
    description: `Looks up records of table ${index}.`,
    schema: z.object({
      path: z.string().describe("Where to look, relative to the project."),
      limit: z.number().min(1).max(1000).describe("Records at most."),
      order: z.enum(["ascending", "descending"]),
    }),
    execute: () => "found",
  }));
}
