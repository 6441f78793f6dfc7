const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["\\", "\\"],
  ["/", "/"],
]);

/** Takes one layer of escapes off a text that may have been escaped once too often; `undefined` where it has none. */
export function unescapeText(text: string): string | undefined {
  const bare = text.replaceAll(/\\([nrt"'`\\/])/gu, (_whole, character: string) => ESCAPES.get(character) ?? character);
  return bare === text ? undefined : bare;
}
