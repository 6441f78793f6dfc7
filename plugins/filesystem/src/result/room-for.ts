import type { ToolContext } from "@aiw/core";

/** Characters of a result that reach the model, less those that are spoken for. */
export function roomFor({ maxResultCharacters }: Pick<ToolContext, "maxResultCharacters">, spokenFor = 0): number {
  return (maxResultCharacters ?? Number.POSITIVE_INFINITY) - spokenFor;
}
