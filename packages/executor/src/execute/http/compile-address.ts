import { ToolError, type ToolSpec } from "@aiw/core";
import { parseUrl, type WebTarget } from "@aiw/core/node";
import { invalidImplementation } from "../data/invalid-implementation.ts";
import { readTemplate, type TemplatePart, type TextTemplate } from "../data/text-template.ts";

/** An address with places for arguments: scheme, host and port are what the spec says, whatever the arguments. */
export interface AddressTemplate {
  readonly origin: string;
  /** Encoded as it will be sent. */
  readonly path: TextTemplate;
  /** Not encoded. */
  readonly query: readonly (readonly [name: string, value: TextTemplate])[];
}

/**
 * Reads the address of a spec; arguments have places in its path and in values of its query, and nowhere else.
 * @throws ToolError `implementation_invalid`
 */
export function compileAddress(text: string, spec: ToolSpec): AddressTemplate {
  const template = readTemplate(text, spec, "url");
  if (template.some((part) => "spread" in part && part.spread)) {
    throw invalidImplementation("url", "has no room for a list: {...name} is a word of a command");
  }
  const token = unusedToken(text);
  // The parser sees letters in place of the arguments, so it is known in which part of an address each stands.
  const marked = template.map((part, index) => ("literal" in part ? part.literal : `${token}${index}z`)).join("");
  const { url } = parse(marked);
  const unmark = (marks: string): TextTemplate => toTemplate(marks, { token, template });
  const path = unmark(url.pathname);
  const query = [...url.searchParams].map(([name, value]) => {
    if (name.includes(token)) throw invalidImplementation("url", "has an argument in the name of a query parameter");
    return [name, unmark(value)] as const;
  });
  const placed = [path, ...query.map(([, value]) => value)].flat().filter(isPlace).length;
  if (url.host.includes(token) || placed !== template.filter(isPlace).length) {
    throw invalidImplementation("url", "has an argument outside of its path and the values of its query");
  }
  return { origin: url.origin, path, query };
}

function isPlace(part: TemplatePart): boolean {
  return "parameter" in part;
}

function parse(marked: string): WebTarget {
  try {
    return parseUrl(marked);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    throw invalidImplementation("url", `is none that can be asked: ${error.message.replace(/\.$/, "")}`);
  }
}

/** Small letters and digits alone: no part of an address changes them. */
function unusedToken(text: string): string {
  let token = "place";
  while (text.toLowerCase().includes(token)) token += "x";
  return token;
}

function toTemplate(
  marks: string,
  { token, template }: { readonly token: string; readonly template: TextTemplate },
): TextTemplate {
  // Every second piece is the number of a place.
  return marks.split(new RegExp(`${token}(\\d+)z`)).flatMap((piece, index): readonly TemplatePart[] => {
    if (index % 2 === 0) return piece === "" ? [] : [{ literal: piece }];
    const place = template[Number(piece)];
    return place === undefined ? [] : [place];
  });
}
