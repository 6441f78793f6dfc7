import { fullFormats } from "ajv-formats/dist/formats.js";

/** The types of JSON. */
export type Kind = "string" | "number" | "boolean" | "array" | "object" | "null";

/** One keyword that documentation may give. */
export interface Constraint {
  /** What it may be laid on. */
  readonly kinds: readonly Kind[];
  /** Says what is wrong with a value. */
  findFault(value: unknown): string | undefined;
  /** How it is written. */
  readonly example: string;
  /** The keyword that says the same of another type. */
  readonly instead?: { readonly [kind in Kind]?: string };
  /** Says why nobody would check a value that is right in itself. */
  findWeakness?(value: unknown, kind: Kind): string | undefined;
  readonly isDroppedWhenWeak?: true;
}

const NUMBER_FORMATS = new Set(["int32", "int64", "float", "double"]);

/** What a pattern in linear time cannot do: back references and look-around. */
const BACKTRACKING = /\(\?<?[=!]|(?<!\\)(?:\\\\)*\\(?:k<|[1-9])/;

const isNumber = (value: unknown): string | undefined =>
  typeof value === "number" && Number.isFinite(value) ? undefined : "needs a number";
const isAboveZero = (value: unknown): string | undefined =>
  typeof value === "number" && value > 0 && Number.isFinite(value) ? undefined : "needs a number above 0";
const isCount = (value: unknown): string | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : "needs a whole number from 0 on";
const isFlag = (value: unknown): string | undefined => (typeof value === "boolean" ? undefined : "needs true or false");
const isWord = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w-]+$/.test(value) ? undefined : "needs the name of a format";

function isPattern(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return "needs a regular expression";
  try {
    RegExp(value, "u");
    return undefined;
  } catch (error) {
    return `is no regular expression (${error instanceof Error ? error.message : "it does not compile"})`;
  }
}

function isUncheckedPattern(value: unknown): string | undefined {
  return BACKTRACKING.test(String(value)) ? "needs backtracking, which nobody does on what a model wrote" : undefined;
}

function isUncheckedFormat(value: unknown, kind: Kind): string | undefined {
  const name = String(value);
  if (!Object.hasOwn(fullFormats, name)) return "is a format that nobody checks, and is left out";
  return NUMBER_FORMATS.has(name) === (kind === "number") ? undefined : `is no format of a ${kind}, and is left out`;
}

const number = (keyword: string, instead: Constraint["instead"]): [string, Constraint] => [
  keyword,
  { kinds: ["number"], findFault: isNumber, example: `@${keyword} 1`, ...(instead && { instead }) },
];

const count = (keyword: string, kind: Kind, instead: Constraint["instead"]): [string, Constraint] => [
  keyword,
  { kinds: [kind], findFault: isCount, example: `@${keyword} 1`, ...(instead && { instead }) },
];

const LEAST = { string: "minLength", number: "minimum", array: "minItems", object: "minProperties" } as const;
const MOST = { string: "maxLength", number: "maximum", array: "maxItems", object: "maxProperties" } as const;

/** What documentation may say of values, by keyword. */
export const CONSTRAINTS: ReadonlyMap<string, Constraint> = new Map([
  number("minimum", LEAST),
  number("maximum", MOST),
  number("exclusiveMinimum", LEAST),
  number("exclusiveMaximum", MOST),
  ["multipleOf", { kinds: ["number"], findFault: isAboveZero, example: "@multipleOf 5" }],
  count("minLength", "string", LEAST),
  count("maxLength", "string", MOST),
  count("minItems", "array", LEAST),
  count("maxItems", "array", MOST),
  count("minProperties", "object", LEAST),
  count("maxProperties", "object", MOST),
  ["uniqueItems", { kinds: ["array"], findFault: isFlag, example: "@uniqueItems" }],
  [
    "pattern",
    { kinds: ["string"], findFault: isPattern, example: "@pattern ^[a-z]+$", findWeakness: isUncheckedPattern },
  ],
  [
    "format",
    {
      kinds: ["string", "number"],
      findFault: isWord,
      example: "@format email",
      findWeakness: isUncheckedFormat,
      isDroppedWhenWeak: true,
    },
  ],
]);
