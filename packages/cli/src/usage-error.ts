/** Wrong use of the command line: a fact and the way out, never a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
