import type { RefusedCase } from "./schema-case.ts";

export const REFUSED_CONSTRAINT_CASES: readonly RefusedCase[] = [
  {
    name: "a number constraint on a text",
    type: `{ 
/** @minimum 3 */ name: string }`,
    code: "constraint_invalid",
    at: "name: string",
    says: "@minimum 3 of name means nothing for a string",
    fix: "@minLength",
  },
  {
    name: "a text constraint on a number",
    type: `{ 
/** @minLength 3 */ n: number }`,
    code: "constraint_invalid",
    at: "n: number",
    says: "means nothing for a number",
    fix: "@minimum",
  },
  {
    name: "a text constraint on a list",
    type: `{ 
/** @pattern ^a */ l: string[] }`,
    code: "constraint_invalid",
    at: "l: string",
    says: "means nothing for an array",
    fix: "alias of their own",
  },
  {
    name: "a list constraint on a text",
    type: `{ 
/** @maxItems 3 */ s: string }`,
    code: "constraint_invalid",
    at: "s: string",
    says: "means nothing for a string",
    fix: "@maxLength",
  },
  {
    name: "a constraint on anything",
    type: `{ 
/** @minimum 3 */ x: unknown }`,
    code: "constraint_invalid",
    at: "x: unknown",
    says: "a value of any type",
    fix: "Remove @minimum",
  },
  {
    name: "a broken pattern",
    type: `{ 
/** @pattern ^[a- */ s: string }`,
    code: "constraint_invalid",
    at: "s: string",
    says: "is no regular expression",
    fix: "@pattern",
  },
  {
    name: "a bound that is no number",
    type: `{ 
/** @minimum low */ n: number }`,
    code: "constraint_invalid",
    at: "n: number",
    says: "needs a number",
    fix: "@minimum 1",
  },
  {
    name: "a negative length",
    type: `{ 
/** @minLength -1 */ s: string }`,
    code: "constraint_invalid",
    at: "s: string",
    says: "whole number",
    fix: "@minLength 1",
  },
  {
    name: "bounds the wrong way round",
    type: `{ 
/** @minimum 3
 * @maximum 1 */ n: number }`,
    code: "constraint_invalid",
    at: "n: number",
    says: "is above @maximum 1",
    fix: "@minimum 1",
  },
  {
    name: "an integer text",
    type: `{ 
/** @integer */ s: string }`,
    code: "constraint_invalid",
    at: "s: string",
    says: "means nothing for a string",
    fix: "number",
  },
  {
    name: "an unlike type",
    type: `{ 
/** @type string */ s: number }`,
    code: "constraint_invalid",
    at: "s: number",
    says: "can be integer only",
    fix: "@integer",
  },
  {
    name: "a default of the wrong type",
    type: `{ 
/** @default "many" */ n?: number }`,
    code: "default_invalid",
    at: "n?: number",
    says: "The default of n does not pass its own type: \"many\" must be number",
    fix: "Write a value that does",
  },
  {
    name: "a default below the minimum",
    type: `{ 
/** @minimum 5
 * @default 3 */ n?: number }`,
    code: "default_invalid",
    at: "n?: number",
    says: "3 must be >= 5",
    fix: "Write a value that does",
  },
  {
    name: "a default outside the choice",
    type: `{ 
/** @default "c" */ n?: "a" | "b" }`,
    code: "default_invalid",
    at: "n?: ",
    says: "\"c\" must be equal to one of the allowed values",
    fix: "Write a value that does",
  },
  {
    name: "an example of the wrong type",
    type: `{ 
/** @examples [1, "a"] */ n: number }`,
    code: "default_invalid",
    at: "n: number",
    says: "\"a\" must be number",
    fix: "Write a value that does",
  },
  {
    name: "a default of a wrong recursive value",
    type: `{ 
/** @default {"kids": [1]} */ tree?: Tree }`,
    declarations: "interface Tree { kids: Tree[] }",
    code: "default_invalid",
    at: "tree?: Tree",
    says: "must be object",
    fix: "Write a value that does",
  },
];
