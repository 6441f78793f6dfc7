import { parseJson } from "./json.ts";
import type { JsonRecord } from "./json.ts";

/** A call as tool messages write it: `read(file_paths=["a.ts"], offset=201)`. */
export interface CallText {
  toolName: string;
  input: JsonRecord;
  /** Where the call starts in the text. */
  start: number;
  /** The first position after its closing parenthesis. */
  end: number;
}

const maximumTextLength = 20_000;
const maximumCalls = 20;

/** Finds the complete calls written in a text. */
export function parseCallText(text: string): CallText[] {
  const bounded = text.slice(0, maximumTextLength);
  const calls: CallText[] = [];
  const heads = /(?<![\w.])([a-z_]\w{0,63})\(/giu;
  let tried = 0;
  for (let head = heads.exec(bounded); head !== null && tried < maximumCalls; head = heads.exec(bounded)) {
    tried += 1;
    const call = parseArguments(bounded, head.index, head[1] ?? "");
    if (call === undefined) continue;
    calls.push(call);
    heads.lastIndex = call.end;
  }
  return calls;
}

function parseArguments(text: string, start: number, toolName: string): CallText | undefined {
  const input = new Map<string, unknown>();
  let position = start + toolName.length + 1;
  if (text[position] === ")") return { toolName, input: {}, start, end: position + 1 };
  while (position < text.length) {
    const name = /^\s*([a-z_]\w{0,63})\s*=\s*/iu.exec(text.slice(position, position + 200));
    if (name === null) return undefined;
    position += name[0].length;
    const end = endOfJson(text, position);
    const value = parseJson(text.slice(position, end));
    if (value === undefined) return undefined;
    input.set(name[1] ?? "", value);
    position = end;
    if (text[position] === ")") return { toolName, input: Object.fromEntries(input), start, end: position + 1 };
    if (text[position] !== ",") return undefined;
    position += 1;
  }
  return undefined;
}

/** Finds where a JSON value ends, by brackets and quotes alone. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === "\\") index += 1;
      else if (character === '"') quoted = false;
      continue;
    }
    if (character === '"') quoted = true;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (depth === 0 && (character === "," || character === ")")) return index;
  }
  return text.length;
}
