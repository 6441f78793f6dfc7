import { ToolError } from "@aiw/core";
import { parseUrl, type WebTarget } from "@aiw/core/node";
import { expandTemplate, toText } from "../data/text-template.ts";
import { expandValues, type ValueScope, type ValueTemplate } from "../data/value-template.ts";
import type { AddressTemplate } from "./compile-address.ts";

/** One name and value, as a query or a form has it. */
export type Pair = readonly [name: string, value: string];

/**
 * Puts arguments into an address, each as exactly one part of a path segment or one query value: none of them changes the host,
 * the scheme or the port, or adds a segment.
 * @throws ToolError `invalid_input`, `invalid_url`
 */
export function buildAddress(
  { origin, path, query }: AddressTemplate,
  more: readonly (readonly [name: string, value: ValueTemplate])[],
  scope: ValueScope,
): WebTarget {
  const written = expandTemplate(path, (parameter) => {
    const text = toText(scope.input, parameter);
    if (text === undefined)
      throw new ToolError("invalid_input", `${parameter}: it has a place in the address, and is missing.`);
    return encodeSegment(text, parameter);
  });
  const pathname = written ?? "/";
  const search = toQuery(toPairs([...query, ...more], scope));
  const target = parseUrl(`${origin}${pathname}${search === "" ? "" : `?${search}`}`);
  // What the parser changed would not be what the arguments say.
  const { url } = target;
  if (url.origin === origin && url.pathname === pathname && url.search === (search === "" ? "" : `?${search}`))
    return target;
  throw new ToolError("invalid_input", "The arguments would change the address beyond their places.", {
    suggestion: 'Pass names without "." and ".." in place of whole parts.',
  });
}

/** Names with the values of their templates; what was not given is left out. */
export function toPairs(
  templates: readonly (readonly [name: string, value: ValueTemplate])[],
  scope: ValueScope,
): Pair[] {
  return templates.flatMap(([name, template]) => expandValues(template, scope).map((value): Pair => [name, value]));
}

/** Writes pairs as a query or a form. */
export function toQuery(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encode(name, name)}=${encode(value, name)}`).join("&");
}

/** Servers differ in what they make of an encoded slash, so no way up may hide behind one. */
function encodeSegment(text: string, parameter: string): string {
  if (
    text === "" ||
    text.split(/[/\\]/).some((piece) => piece === "." || piece === "..") ||
    hasControlCharacter(text)
  ) {
    throw new ToolError(
      "invalid_input",
      `${parameter}: ${JSON.stringify(text.slice(0, 100))} cannot be a part of the address.`,
      {
        suggestion: 'Pass a name: not empty, without control characters, and neither "." nor "..".',
      },
    );
  }
  return encode(text, parameter);
}

function encode(text: string, parameter: string): string {
  try {
    return encodeURIComponent(text).replaceAll("'", "%27");
  } catch (cause) {
    throw new ToolError("invalid_input", `${parameter}: it is no whole Unicode text.`, { cause });
  }
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
