import type { RefusedCase } from "./schema-case.ts";

export const REFUSED_SHAPE_CASES: readonly RefusedCase[] = [
  {
    name: "a text that may be a Date",
    type: "{ when: Date | string }",
    code: "date_ambiguous",
    at: "when: Date",
    says: "when may be a Date or another text",
    fix: "@format date-time",
  },
  {
    name: "a literal that may be a Date",
    type: `{ when: Date | "now" }`,
    code: "date_ambiguous",
    at: "when: Date",
    says: "when may be a Date",
    fix: "@format date-time",
  },
  {
    name: "a Date in one branch, a text in another",
    type: "{ at: Date } | { at: string; more: number }",
    code: "date_ambiguous",
    at: "at: Date",
    says: "at may be a Date",
    fix: "@format date-time",
  },
  {
    name: "a Date in a branch that another leaves open",
    type: "{ at: Date } | { [name: string]: string }",
    code: "date_ambiguous",
    at: "at: Date",
    says: "at may be a Date",
    fix: "@format date-time",
  },
  {
    name: "a Date in a type that contains itself",
    type: "Task",
    declarations: "interface Task { due: Date; parts: Task[] }",
    code: "date_ambiguous",
    at: "due: Date",
    says: "contains itself",
    fix: "@format date-time",
  },
  {
    name: "a Date in a type that others contain",
    type: "A",
    declarations: `interface A { b: B }
interface B { at: Date; a?: A }`,
    code: "date_ambiguous",
    at: "at: Date",
    says: "contains itself",
    fix: "@format date-time",
  },
  {
    name: "a generic that grows without end",
    type: "Grow<string>",
    declarations: "interface Grow<T> { value: T; next?: Grow<T[]> }",
    code: "type_too_deep",
    at: "next?",
    says: "Grow is given a new type at each level",
    fix: "same type",
  },
  {
    name: "a generic that grows twice at each level",
    type: "Grow<string>",
    declarations: "interface Grow<T> { a?: Grow<[T]>; b?: Grow<T[]>; c?: Grow<{ t: T }> }",
    code: "type_too_deep",
    says: "grows without end",
    fix: "same type",
  },
  {
    name: "an alias that grows",
    type: "Grow<string>",
    declarations: "type Grow<T> = { value: T; next?: Grow<{ of: T }> };",
    code: "type_too_deep",
    says: "Grow is given a new type",
    fix: "same type",
  },
  {
    name: "many levels",
    type: "Deep",
    declarations: `interface L0 { a: L1 }
interface L1 { a: L2 }
interface L2 { a: L3 }
interface L3 { a: L4 }
interface L4 { a: L5 }
interface L5 { a: L6 }
interface L6 { a: L7 }
interface L7 { a: L8 }
interface L8 { a: L9 }
interface L9 { a: L10 }
interface L10 { a: L11 }
interface L11 { a: L12 }
interface L12 { a: L13 }
interface L13 { a: L14 }
interface L14 { a: L15 }
interface L15 { a: L16 }
interface L16 { a: L17 }
interface L17 { a: L18 }
interface L18 { a: L19 }
interface L19 { a: L20 }
interface L20 { a: L21 }
interface L21 { a: L22 }
interface L22 { a: L23 }
interface L23 { a: L24 }
interface L24 { a: L25 }
interface L25 { a: L26 }
interface L26 { a: L27 }
interface L27 { a: L28 }
interface L28 { a: L29 }
interface L29 { a: L30 }
interface L30 { a: L31 }
interface L31 { a: L32 }
interface L32 { a: L33 }
interface L33 { a: L34 }
interface L34 { a: L35 }
interface L35 { a: L36 }
interface L36 { a: L37 }
interface L37 { a: L38 }
interface L38 { a: L39 }
interface L39 { a: L40 }
interface L40 { a: L41 }
interface L41 { a: L42 }
interface L42 { a: L43 }
interface L43 { a: L44 }
interface L44 { a: L45 }
interface L45 { a: string }
type Deep = L0;`,
    code: "type_too_deep",
    says: "more than 40 levels",
    fix: "flatter",
  },
  {
    name: "a very large union",
    type: "{ n: `${Digit}${Digit}${Digit}` }",
    declarations: "type Digit = 0|1|2|3|4|5|6|7|8|9;",
    code: "type_too_large",
    at: "n: ",
    says: "a union of 1000 types",
    fix: "check it in the function",
  },
  {
    name: "a pattern that covers a member",
    type: "{ 'x-a': 1; [name: `x-${string}`]: number }",
    code: "type_unsupported",
    at: "x-a",
    says: "an index signature of a pattern",
    fix: "Record<string, T>",
  },
  {
    name: "a pattern of dates beside a text",
    type: "{ id: string; [name: `at-${string}`]: Date }",
    code: "type_unsupported",
    at: "at-",
    says: "an index signature of a pattern",
    fix: "Record<string, T>",
  },
];
