/** A call as a suggestion spells it. */
export interface SuggestedCall {
  readonly tool: string;
  readonly input: { readonly [name: string]: unknown };
}

const EDITING = ["edit", "write", "read", "read_file"];

/** Reads the calls of some tools that a suggestion spells, each with all its arguments; what is no JSON is no argument. */
export function suggestedCalls(suggestion: string | undefined, tools: readonly string[] = EDITING): SuggestedCall[] {
  const text = suggestion ?? "";
  const calls: SuggestedCall[] = [];
  for (const { 1: tool = "", index, 0: start } of text.matchAll(new RegExp(String.raw`\b(${tools.join("|")})\(`, "gu"))) {
    calls.push({ tool, input: readArguments(text.slice(index + start.length)) });
  }
  return calls;
}

function readArguments(text: string): SuggestedCall["input"] {
  const input: { [name: string]: unknown } = {};
  let rest = text;
  while (!rest.startsWith(")")) {
    const name = /^[a-z_]+(?==)/u.exec(rest)?.[0];
    if (name === undefined) throw new SyntaxError(`No argument: ${rest}`);
    const value = lengthOfValue(rest.slice(name.length + 1));
    input[name] = JSON.parse(rest.slice(name.length + 1, name.length + 1 + value));
    rest = rest.slice(name.length + 1 + value).replace(/^, /u, "");
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
