/** Reads the arguments of the call that a suggestion spells; undefined where it spells none. */
export function readSuggestedCall(suggestion: string | undefined): { [name: string]: unknown } | undefined {
  const opening = /^Call it like this(?: \([^:]*\))?: \w+\(/u.exec(suggestion ?? "");
  if (opening === null) return undefined;
  let rest = (suggestion ?? "").slice(opening[0].length);
  const input: { [name: string]: unknown } = {};
  while (rest !== ")") {
    const name = /^[^=]+(?==)/u.exec(rest)?.[0];
    if (name === undefined) throw new SyntaxError(`No argument: ${rest}`);
    const length = lengthOfValue(rest.slice(name.length + 1));
    input[name] = JSON.parse(rest.slice(name.length + 1, name.length + 1 + length));
    rest = rest.slice(name.length + 1 + length).replace(/^, /u, "");
  }
  return input;
}

/** Up to the first comma or parenthesis outside of strings and brackets. */
function lengthOfValue(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},)]/gu)) {
    if (depth === 0 && (token === "," || token === ")")) return index;
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
  }
  return text.length;
}
