/** A call as a suggestion spells it. */
export interface SpelledCall {
  readonly name: string;
  readonly input: { readonly [argument: string]: unknown };
}

/** Reads the first call that a text spells, such as `read(file_paths=["a.ts"], offset=2)`; nothing else can be made of it. */
export function readCall(text: string): SpelledCall | undefined {
  const start = /\b([a-z_]+)\(/u.exec(text);
  const name = start?.[1];
  if (start === null || name === undefined) return undefined;
  const input: Record<string, unknown> = {};
  let rest = text.slice(start.index + start[0].length);
  while (!rest.startsWith(")")) {
    const argument = /^(?:, )?([a-z0-9_]+)=/u.exec(rest);
    if (argument === null) return undefined;
    rest = rest.slice(argument[0].length);
    const length = lengthOfValue(rest);
    if (length === undefined) return undefined;
    input[argument[1] ?? ""] = JSON.parse(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return { name, input };
}

/** Of the shortest beginning that is JSON and followed by another argument or the end. */
function lengthOfValue(text: string): number | undefined {
  for (const { index } of text.matchAll(/, (?=[a-z0-9_]+=)|\)/gu)) {
    try {
      JSON.parse(text.slice(0, index));
      return index;
    } catch {
      // It goes on.
    }
  }
  return undefined;
}
