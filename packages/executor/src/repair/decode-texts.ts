import { BoundedInput, ToolError, type ArgumentRepair, type JsonObject } from "@aiw/core";
import { isPlainJson } from "./keeps-meaning.ts";

/** Arguments of which some texts were decoded. */
export interface DecodedInput {
  readonly input: BoundedInput;
  readonly repairs: readonly ArgumentRepair[];
}

/** Characters of a text that is decoded. */
const MAX_LENGTH = 256 * 1024;

/**
 * Decodes texts that stand where the schema wants another type and are exactly the JSON of one: `"[1,2]"` for a list, `"5"`
 * for a number. Undefined where the failure is of another kind; whether the result fits, only a second check can say.
 */
export function decodeTexts(input: JsonObject, error: unknown): DecodedInput | undefined {
  if (!ToolError.is(error) || error.code !== "invalid_input") return undefined;
  const decoded: JsonObject = structuredClone(input);
  const repairs = readIssues(error).flatMap(({ path, expected }) =>
    decodeAt(decoded, path)
      ? [{ kind: "decoded_text" as const, path, problem: `arrived as text; expected ${expected}` }]
      : [],
  );
  if (repairs.length === 0) return undefined;
  try {
    return { input: new BoundedInput(decoded), repairs };
  } catch {
    return undefined;
  }
}

interface TextIssue {
  readonly path: string;
  readonly expected: string;
}

/** The places where a text was received. */
function readIssues({ details }: ToolError): TextIssue[] {
  const issues = details?.["issues"];
  return Array.isArray(issues) ? issues.filter(isTextIssue) : [];
}

function isTextIssue(issue: unknown): issue is TextIssue {
  if (typeof issue !== "object" || issue === null) return false;
  const { path, expected, received_type } = issue as { readonly [name: string]: unknown };
  return typeof path === "string" && path !== "" && typeof expected === "string" && received_type === "string";
}

/** True when the text at a pointer was exchanged for what it is the JSON of. */
function decodeAt(root: JsonObject, pointer: string): boolean {
  const keys = pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = keys.pop() ?? "";
  let holder: unknown = root;
  for (const key of keys) holder = memberOf(holder, key);
  const text = memberOf(holder, last);
  if (typeof text !== "string" || text.length > MAX_LENGTH) return false;
  const value = parse(text);
  if (value === undefined || typeof value === "string" || !isPlainJson(text)) return false;
  (holder as Record<string, unknown>)[last] = value;
  return true;
}

function memberOf(holder: unknown, key: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return (holder as { readonly [name: string]: unknown })[key];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
