import { ts } from "@ts-morph/common";

/** Any text, line ends included. */
const ANYTHING = String.raw`[\s\S]*`;

const OF_FLAGS: readonly (readonly [flags: ts.TypeFlags, pattern: string])[] = [
  [ts.TypeFlags.String | ts.TypeFlags.Any, ANYTHING],
  [ts.TypeFlags.Number, String.raw`[+\-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+\-]?[0-9]+)?`],
  [ts.TypeFlags.BigInt, String.raw`-?[0-9]+`],
  [ts.TypeFlags.Boolean, "(?:true|false)"],
  [ts.TypeFlags.Null, "null"],
  [ts.TypeFlags.Undefined, "undefined"],
];

/** What `Uppercase` and the like leave of any text, told by the letters of ASCII. */
const OF_MAPPING: ReadonlyMap<string, string> = new Map([
  ["Uppercase", "[^a-z]*"],
  ["Lowercase", "[^A-Z]*"],
  ["Capitalize", String.raw`(?:[^a-z][\s\S]*)?`],
  ["Uncapitalize", String.raw`(?:[^A-Z][\s\S]*)?`],
]);

/** The pattern of a template literal type: anchored, without back references or look-around; undefined when none tells it. */
export function toTemplatePattern(type: ts.Type): string | undefined {
  const source = toSource(type);
  if (source === undefined || source === ANYTHING) return undefined;
  return `^${source}$`.replace(/^\^\[\\s\\S\]\*(?=.)/, "").replace(/(?<=.)\[\\s\\S\]\*\$$/, "");
}

function toSource(type: ts.Type): string | undefined {
  if (type.flags & ts.TypeFlags.TemplateLiteral) return joinParts(type as ts.TemplateLiteralType);
  if (type.flags & ts.TypeFlags.StringMapping) return OF_MAPPING.get(type.symbol.name);
  if (type.isLiteral()) return escapePattern(String((type as ts.StringLiteralType | ts.NumberLiteralType).value));
  if (type.isUnion()) return joinChoices(type.types);
  // A brand narrows nothing that a pattern could tell.
  if (type.isIntersection()) return type.types.map(toSource).find((source) => source !== undefined);
  return OF_FLAGS.find(([flags]) => (type.flags & flags) !== 0)?.[1];
}

function joinParts({ texts, types }: ts.TemplateLiteralType): string | undefined {
  let joined = escapePattern(texts[0] ?? "");
  for (const [index, type] of types.entries()) {
    const source = toSource(type);
    if (source === undefined) return undefined;
    joined += source + escapePattern(texts[index + 1] ?? "");
  }
  return joined;
}

function joinChoices(types: readonly ts.Type[]): string | undefined {
  const sources = types.map(toSource);
  if (sources.includes(undefined)) return undefined;
  return `(?:${sources.toSorted().join("|")})`;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
