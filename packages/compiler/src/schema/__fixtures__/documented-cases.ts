import type { SchemaCase } from "./schema-case.ts";

export const DOCUMENTED_CASES: readonly SchemaCase[] = [
  {
    name: "descriptions of members",
    type: `{ 
/** Its name. */ name: string; 
/** Its age. */ age?: number }`,
    schema: { type: "object", properties: { name: { type: "string", description: "Its name." }, age: { type: "number", description: "Its age." } }, required: ["name"], additionalProperties: false },
  },
  {
    name: "a description of a type",
    type: "Note",
    declarations: `/** A short text. */
interface Note { text: string }`,
    schema: { type: "object", description: "A short text.", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
  },
  {
    name: "a member's words before its type's",
    type: `{ 
/** What to keep. */ note: Note; other: Note }`,
    declarations: `/** A short text. */
interface Note { text: string }`,
    schema: { type: "object", properties: { note: { type: "object", description: "What to keep.", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false }, other: { type: "object", description: "A short text.", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false } }, required: ["note", "other"], additionalProperties: false },
  },
  {
    name: "a description of an alias",
    type: "{ unit: Unit; other?: Unit }",
    declarations: `/** How warmth is told. */
type Unit = "kelvin" | "celsius";`,
    schema: { type: "object", properties: { unit: { type: "string", description: "How warmth is told.", enum: ["kelvin", "celsius"] }, other: { type: "string", description: "How warmth is told.", enum: ["kelvin", "celsius"] } }, required: ["unit"], additionalProperties: false },
  },
  {
    name: "an alias of an alias",
    type: "{ to: Address }",
    declarations: `/** Where mail goes.
 * @format email */
type Email = string;
type Address = Email;`,
    schema: { type: "object", properties: { to: { type: "string", description: "Where mail goes.", format: "email" } }, required: ["to"], additionalProperties: false },
    valid: [{ to: "a@b.de" }],
    invalid: [{ to: "x" }],
  },
  {
    name: "a nullable alias",
    type: "{ to: Email | null }",
    declarations: `/** @format email */
type Email = string;`,
    schema: { type: "object", properties: { to: { type: ["string", "null"], format: "email" } }, required: ["to"], additionalProperties: false },
    valid: [{ to: null }, { to: "a@b.de" }],
    invalid: [{ to: "x" }],
  },
  {
    name: "bounds of a number",
    type: `{ 
/** @minimum 1
 * @maximum 10 */ limit: number }`,
    schema: { type: "object", properties: { limit: { type: "number", minimum: 1, maximum: 10 } }, required: ["limit"], additionalProperties: false },
    valid: [{ limit: 1 }],
    invalid: [{ limit: 0 }, { limit: 11 }],
  },
  {
    name: "exclusive bounds and steps",
    type: `{ 
/** @exclusiveMinimum 0
 * @exclusiveMaximum 1
 * @multipleOf 0.25 */ share: number }`,
    schema: { type: "object", properties: { share: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25 } }, required: ["share"], additionalProperties: false },
    valid: [{ share: 0.5 }],
    invalid: [{ share: 0 }, { share: 1 }, { share: 0.3 }],
  },
  {
    name: "an integer",
    type: `{ 
/** @integer
 * @minimum 0 */ count: number }`,
    schema: { type: "object", properties: { count: { type: "integer", minimum: 0 } }, required: ["count"], additionalProperties: false },
    valid: [{ count: 0 }],
    invalid: [{ count: 0.5 }, { count: -1 }],
  },
  {
    name: "an integer or null",
    type: `{ 
/** @integer */ count: number | null }`,
    schema: { type: "object", properties: { count: { type: ["integer", "null"] } }, required: ["count"], additionalProperties: false },
    valid: [{ count: null }],
    invalid: [{ count: 0.5 }],
  },
  {
    name: "an alias for integers",
    type: "{ count: Int; more: Int[] }",
    declarations: `/** @integer */
type Int = number;`,
    schema: { type: "object", properties: { count: { type: "integer" }, more: { type: "array", items: { type: "integer" } } }, required: ["count", "more"], additionalProperties: false },
    valid: [{ count: 1, more: [2] }],
    invalid: [{ count: 1, more: [0.5] }],
  },
  {
    name: "a branded integer",
    type: "{ id: RowId }",
    declarations: `/** @integer
 * @minimum 1 */
type RowId = number & { __brand: "row" };`,
    schema: { type: "object", properties: { id: { type: "integer", minimum: 1 } }, required: ["id"], additionalProperties: false },
    valid: [{ id: 1 }],
    invalid: [{ id: 0 }, { id: 1.5 }],
  },
  {
    name: "an integer among others",
    type: `{ 
/** @integer */ size: number | "auto" }`,
    schema: { type: "object", properties: { size: { anyOf: [{ type: "integer" }, { type: "string", const: "auto" }] } }, required: ["size"], additionalProperties: false },
    valid: [{ size: 1 }, { size: "auto" }],
    invalid: [{ size: 0.5 }],
  },
  {
    name: "lengths and a pattern",
    type: `{ 
/** @minLength 2
 * @maxLength 4
 * @pattern ^[a-z]+$ */ code: string }`,
    schema: { type: "object", properties: { code: { type: "string", pattern: "^[a-z]+$", minLength: 2, maxLength: 4 } }, required: ["code"], additionalProperties: false },
    valid: [{ code: "ab" }],
    invalid: [{ code: "a" }, { code: "abcde" }, { code: "A1" }],
  },
  {
    name: "a format",
    type: `{ 
/** @format uri */ url: string }`,
    schema: { type: "object", properties: { url: { type: "string", format: "uri" } }, required: ["url"], additionalProperties: false },
    valid: [{ url: "https://a.de/" }],
    invalid: [{ url: "x" }],
  },
  {
    name: "a format of numbers",
    type: `{ 
/** @format int32 */ n: number }`,
    schema: { type: "object", properties: { n: { type: "number", format: "int32" } }, required: ["n"], additionalProperties: false },
    valid: [{ n: 1 }],
    invalid: [{ n: 0.5 }],
  },
  {
    name: "an unknown format is left out",
    type: `{ 
/** @format colour */ c: string }`,
    schema: { type: "object", properties: { c: { type: "string" } }, required: ["c"], additionalProperties: false },
    remarks: ["constraint_unknown"],
    valid: [{ c: "x" }],
  },
  {
    name: "a pattern that looks around is not checked",
    type: `{ 
/** @pattern ^(?!x) */ c: string }`,
    schema: { type: "object", properties: { c: { type: "string", pattern: "^(?!x)" } }, required: ["c"], additionalProperties: false },
    remarks: ["constraint_unknown"],
  },
  {
    name: "sizes of lists",
    type: `{ 
/** @minItems 1
 * @maxItems 3
 * @uniqueItems */ tags: string[] }`,
    schema: { type: "object", properties: { tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3, uniqueItems: true } }, required: ["tags"], additionalProperties: false },
    valid: [{ tags: ["a"] }],
    invalid: [{ tags: [] }, { tags: ["a", "a"] }],
  },
  {
    name: "sizes of records",
    type: `{ 
/** @minProperties 1 */ env: Record<string, string> }`,
    schema: { type: "object", properties: { env: { type: "object", additionalProperties: { type: "string" }, minProperties: 1 } }, required: ["env"], additionalProperties: false },
    valid: [{ env: { A: "1" } }],
    invalid: [{ env: {} }],
  },
  {
    name: "a default",
    type: `{ 
/** @default 10 */ limit?: number; 
/** @default "fast" */ mode?: "fast" | "slow" }`,
    schema: { type: "object", properties: { limit: { type: "number", default: 10 }, mode: { type: "string", enum: ["fast", "slow"], default: "fast" } }, additionalProperties: false },
    valid: [{}],
  },
  {
    name: "a default of a list",
    type: `{ 
/** @default ["a"] */ tags?: string[] }`,
    schema: { type: "object", properties: { tags: { type: "array", default: ["a"], items: { type: "string" } } }, additionalProperties: false },
  },
  {
    name: "a default of a recursive type",
    type: `{ 
/** @default {"kids": [{"kids": []}]} */ tree?: Tree }`,
    declarations: "interface Tree { kids: Tree[] }",
    schema: { type: "object", properties: { tree: { $ref: "#/$defs/Tree", default: { kids: [{ kids: [] }] } } }, additionalProperties: false, $defs: { Tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Tree" } } }, required: ["kids"], additionalProperties: false } } },
  },
  {
    name: "examples",
    type: `{ 
/** @examples ["Berlin", "Rome"] */ city: string }`,
    schema: { type: "object", properties: { city: { type: "string", examples: ["Berlin", "Rome"] } }, required: ["city"], additionalProperties: false },
  },
  {
    name: "deprecated",
    type: `{ 
/** @deprecated */ old?: string; 
/** @deprecated Use limit. */ max?: number }`,
    schema: { type: "object", properties: { old: { type: "string", deprecated: true }, max: { type: "number", description: "Deprecated: Use limit.", deprecated: true } }, additionalProperties: false },
  },
  {
    name: "a constraint on a union goes to its branch",
    type: `{ 
/** @minimum 0 */ size: number | "auto" | string[] }`,
    schema: { type: "object", properties: { size: { anyOf: [{ type: "number", minimum: 0 }, { type: "string", const: "auto" }, { type: "array", items: { type: "string" } }] } }, required: ["size"], additionalProperties: false },
    valid: [{ size: "auto" }, { size: 0 }],
    invalid: [{ size: -1 }],
  },
  {
    name: "a constraint on a nullable list",
    type: `{ 
/** @minItems 1 */ ids: string[] | null }`,
    schema: { type: "object", properties: { ids: { anyOf: [{ type: "array", items: { type: "string" }, minItems: 1 }, { type: "null" }] } }, required: ["ids"], additionalProperties: false },
    valid: [{ ids: null }],
    invalid: [{ ids: [] }],
  },
  {
    name: "a constraint on a recursive type",
    type: `{ 
/** @minProperties 1 */ tree: Tree }`,
    declarations: "interface Tree { left?: Tree; right?: Tree }",
    schema: { type: "object", properties: { tree: { $ref: "#/$defs/Tree", type: "object", minProperties: 1 } }, required: ["tree"], additionalProperties: false, $defs: { Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree" }, right: { $ref: "#/$defs/Tree" } }, additionalProperties: false } } },
    valid: [{ tree: { left: {} } }],
    invalid: [{ tree: {} }],
  },
  {
    name: "a constraint on an index signature's alias",
    type: "{ [name: string]: Percent }",
    declarations: `/** @minimum 0
 * @maximum 100 */
type Percent = number;`,
    schema: { type: "object", additionalProperties: { type: "number", minimum: 0, maximum: 100 } },
    valid: [{ a: 1 }],
    invalid: [{ a: 101 }],
  },
];
