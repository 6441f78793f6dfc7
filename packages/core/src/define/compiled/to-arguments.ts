/** Where the arguments of a call go; without names they stay one object. */
export interface ArgumentPlaces {
  readonly parameters?: readonly string[] | undefined;
  /** The last parameter is a list, each item of which is an argument. */
  readonly rest?: true | undefined;
}

/** Puts a call's arguments in the order of a function's parameters, and the context behind them; a rest has nothing behind it. */
export function toArguments(input: unknown, context: unknown, { parameters, rest }: ArgumentPlaces): unknown[] {
  if (parameters === undefined) return [input, context];
  const values = parameters.map((name) => own(input, name));
  if (rest !== true) return [...values, context];
  const last = values.pop();
  if (Array.isArray(last)) return [...values, ...(last as unknown[])];
  // What the schema admits is never lost on the way.
  return last === undefined ? values : [...values, last];
}

/** What an object inherits is no argument. */
function own(input: unknown, name: string): unknown {
  return typeof input === "object" && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
