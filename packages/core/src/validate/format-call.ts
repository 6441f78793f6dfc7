import type { ToolSpec } from "../contract/tool-spec.ts";
import { cursorAt, descend, type SchemaCursor } from "../schema/schema-cursor.ts";
import { cut, maskSecret, showValue } from "../schema/show-value.ts";

/** Characters the head of a message has at most. */
const MAX_CALL_LENGTH = 400;

/** How a call is written. */
export interface FormatCallOptions {
  /** Parameter names whose values are secret wherever they occur, beside those the schema marks. */
  readonly secretNames?: readonly string[];
}

/** Writes a call in one bounded line, as its sender would recognise it, secrets by type and length alone. Never throws. */
export function formatCall(
  spec: Pick<ToolSpec, "name"> & Partial<ToolSpec>,
  input: unknown,
  options: FormatCallOptions = {},
): string {
  const name = cut(spec.name, 100);
  try {
    return `${name}(${formatArguments(spec, input, options)})`;
  } catch {
    return `${name}(<unreadable>)`;
  }
}

function formatArguments(spec: Partial<ToolSpec>, input: unknown, { secretNames = [] }: FormatCallOptions): string {
  if (input === undefined || input === null || input === "") return "";
  const cursor = spec.inputSchema === undefined ? undefined : cursorAt(spec.inputSchema);
  if (typeof input !== "object" || Array.isArray(input))
    return showValue(input, { secretNames, ...(cursor && { cursor }) });
  const parts: string[] = [];
  let length = 0;
  for (const key of Object.keys(input)) {
    const part = formatArgument(key, (input as { readonly [key: string]: unknown })[key], { cursor, secretNames });
    length += part.length + 2;
    if (length > MAX_CALL_LENGTH) return [...parts, "…"].join(", ");
    parts.push(part);
  }
  return parts.join(", ");
}

interface Secrecy {
  readonly cursor: SchemaCursor | undefined;
  readonly secretNames: readonly string[];
}

function formatArgument(name: string, value: unknown, { cursor, secretNames }: Secrecy): string {
  if (secretNames.includes(name)) return `${cut(name, 64)}=${maskSecret(value)}`;
  return `${cut(name, 64)}=${showValue(value, { secretNames, ...(cursor && { cursor: descend(cursor, name) }) })}`;
}
