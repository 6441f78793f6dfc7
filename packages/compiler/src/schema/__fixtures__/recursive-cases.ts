import type { SchemaCase } from "./schema-case.ts";

export const RECURSIVE_CASES: readonly SchemaCase[] = [
  {
    name: "a tree",
    type: "Tree",
    declarations: "interface Tree { value: string; children: Tree[] }",
    schema: { type: "object", properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } }, required: ["value", "children"], additionalProperties: false, $defs: { Tree: { type: "object", properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } }, required: ["value", "children"], additionalProperties: false } } },
    valid: [{ value: "a", children: [{ value: "b", children: [] }] }],
    invalid: [{ value: "a", children: [{ value: 1, children: [] }] }],
  },
  {
    name: "a linked list",
    type: "Node",
    declarations: `interface Node { value: number; next: Node | null }
export {};`,
    schema: { type: "object", properties: { value: { type: "number" }, next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] } }, required: ["value", "next"], additionalProperties: false, $defs: { Node: { type: "object", properties: { value: { type: "number" }, next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] } }, required: ["value", "next"], additionalProperties: false } } },
    valid: [{ value: 1, next: { value: 2, next: null } }],
    invalid: [{ value: 1, next: {} }],
  },
  {
    name: "a tree inside an object",
    type: "{ root: Tree; other?: Tree }",
    declarations: "interface Tree { children: Tree[] }",
    schema: { type: "object", properties: { root: { $ref: "#/$defs/Tree" }, other: { $ref: "#/$defs/Tree" } }, required: ["root"], additionalProperties: false, $defs: { Tree: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } }, required: ["children"], additionalProperties: false } } },
    valid: [{ root: { children: [] } }],
    invalid: [{ root: {} }],
  },
  {
    name: "any JSON",
    type: "Json",
    declarations: "type Json = string | number | boolean | null | Json[] | { [name: string]: Json };",
    schema: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "array", items: { $ref: "#/$defs/Json" } }, { type: "object", additionalProperties: { $ref: "#/$defs/Json" } }, { type: "null" }], $defs: { Json: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "array", items: { $ref: "#/$defs/Json" } }, { type: "object", additionalProperties: { $ref: "#/$defs/Json" } }, { type: "null" }] } } },
    valid: [1, null, [{ a: [1] }]],
  },
  {
    name: "optional JSON keeps one name",
    type: "{ value?: Json }",
    declarations: "type Json = string | number | boolean | null | Json[] | { [name: string]: Json };",
    schema: { type: "object", properties: { value: { $ref: "#/$defs/Json" } }, additionalProperties: false, $defs: { Json: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "array", items: { $ref: "#/$defs/Json" } }, { type: "object", additionalProperties: { $ref: "#/$defs/Json" } }, { type: "null" }] } } },
    valid: [{ value: [{ a: null }] }, {}],
    invalid: [{ x: 1 }],
  },
  {
    name: "two types that need each other",
    type: "Folder",
    declarations: `interface Folder { files: File[] }
interface File { name: string; folder?: Folder }
export {};`,
    schema: { type: "object", properties: { files: { type: "array", items: { type: "object", properties: { name: { type: "string" }, folder: { $ref: "#/$defs/Folder" } }, required: ["name"], additionalProperties: false } } }, required: ["files"], additionalProperties: false, $defs: { Folder: { type: "object", properties: { files: { type: "array", items: { type: "object", properties: { name: { type: "string" }, folder: { $ref: "#/$defs/Folder" } }, required: ["name"], additionalProperties: false } } }, required: ["files"], additionalProperties: false } } },
    valid: [{ files: [{ name: "a", folder: { files: [] } }] }],
    invalid: [{ files: [{}] }],
  },
  {
    name: "a list of itself",
    type: "Nest",
    declarations: "type Nest = Nest[];",
    schema: { type: "array", items: { $ref: "#/$defs/Nest" }, $defs: { Nest: { type: "array", items: { $ref: "#/$defs/Nest" } } } },
    valid: [[], [[[]]]],
    invalid: [[1]],
  },
  {
    name: "a recursive union",
    type: "Expression",
    declarations: `type Expression = { op: "and" | "or"; parts: Expression[] } | { op: "is"; field: string };`,
    schema: { anyOf: [{ type: "object", properties: { op: { type: "string", enum: ["and", "or"] }, parts: { type: "array", items: { $ref: "#/$defs/Expression" } } }, required: ["op", "parts"], additionalProperties: false }, { type: "object", properties: { op: { type: "string", const: "is" }, field: { type: "string" } }, required: ["op", "field"], additionalProperties: false }], $defs: { Expression: { anyOf: [{ type: "object", properties: { op: { type: "string", enum: ["and", "or"] }, parts: { type: "array", items: { $ref: "#/$defs/Expression" } } }, required: ["op", "parts"], additionalProperties: false }, { type: "object", properties: { op: { type: "string", const: "is" }, field: { type: "string" } }, required: ["op", "field"], additionalProperties: false }] } } },
    valid: [{ op: "and", parts: [{ op: "is", field: "a" }] }],
    invalid: [{ op: "and", parts: [{ op: "x" }] }],
  },
  {
    name: "a recursive generic of one type",
    type: "Tree<string>",
    declarations: "interface Tree<T> { value: T; children?: Tree<T>[] }",
    schema: { type: "object", properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Case" } } }, required: ["value"], additionalProperties: false, $defs: { Case: { type: "object", properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Case" } } }, required: ["value"], additionalProperties: false } } },
    valid: [{ value: "a", children: [{ value: "b" }] }],
    invalid: [{ value: 1 }],
  },
  {
    name: "two instances of a recursive generic",
    type: "{ a: Tree<string>; b: Tree<number> }",
    declarations: "interface Tree<T> { value: T; children?: Tree<T>[] }",
    schema: { type: "object", properties: { a: { $ref: "#/$defs/TreeOfString" }, b: { $ref: "#/$defs/TreeOfNumber" } }, required: ["a", "b"], additionalProperties: false, $defs: { TreeOfString: { type: "object", properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/TreeOfString" } } }, required: ["value"], additionalProperties: false }, TreeOfNumber: { type: "object", properties: { value: { type: "number" }, children: { type: "array", items: { $ref: "#/$defs/TreeOfNumber" } } }, required: ["value"], additionalProperties: false } } },
    valid: [{ a: { value: "x" }, b: { value: 1, children: [{ value: 2 }] } }],
    invalid: [{ a: { value: 1 }, b: { value: 1 } }],
  },
  {
    name: "a generic of a named type",
    type: "Page<User>",
    declarations: `interface User { id: string }
interface Page<T> { items: T[]; next?: Page<T> }`,
    schema: { type: "object", properties: { items: { type: "array", items: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false } }, next: { $ref: "#/$defs/Case" } }, required: ["items"], additionalProperties: false, $defs: { Case: { type: "object", properties: { items: { type: "array", items: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false } }, next: { $ref: "#/$defs/Case" } }, required: ["items"], additionalProperties: false } } },
    valid: [{ items: [{ id: "a" }], next: { items: [] } }],
    invalid: [{ items: [{}] }],
  },
  {
    name: "generics of lists, literals and pairs",
    type: `{ a: Link<string[]>; b: Link<"x">; c: Link<Pair<string, number>> }`,
    declarations: `interface Pair<A, B> { a: A; b: B }
interface Link<T> { value: T; next?: Link<T> }`,
    schema: { type: "object", properties: { a: { $ref: "#/$defs/LinkOfStringList" }, b: { $ref: "#/$defs/LinkOfX" }, c: { $ref: "#/$defs/LinkOfPairOfStringAndNumber" } }, required: ["a", "b", "c"], additionalProperties: false, $defs: { LinkOfStringList: { type: "object", properties: { value: { type: "array", items: { type: "string" } }, next: { $ref: "#/$defs/LinkOfStringList" } }, required: ["value"], additionalProperties: false }, LinkOfX: { type: "object", properties: { value: { type: "string", const: "x" }, next: { $ref: "#/$defs/LinkOfX" } }, required: ["value"], additionalProperties: false }, LinkOfPairOfStringAndNumber: { type: "object", properties: { value: { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a", "b"], additionalProperties: false }, next: { $ref: "#/$defs/LinkOfPairOfStringAndNumber" } }, required: ["value"], additionalProperties: false } } },
    valid: [{ a: { value: ["x"] }, b: { value: "x" }, c: { value: { a: "", b: 1 } } }],
    invalid: [{ a: { value: "x" }, b: { value: "x" }, c: { value: { a: "", b: 1 } } }],
  },
  {
    name: "names that are the same",
    type: "{ a: A.Node; b: B.Node }",
    declarations: `namespace A { export interface Node { a?: Node } }
namespace B { export interface Node { b?: Node } }`,
    schema: { type: "object", properties: { a: { $ref: "#/$defs/Node" }, b: { $ref: "#/$defs/Node2" } }, required: ["a", "b"], additionalProperties: false, $defs: { Node: { type: "object", properties: { a: { $ref: "#/$defs/Node" } }, additionalProperties: false }, Node2: { type: "object", properties: { b: { $ref: "#/$defs/Node2" } }, additionalProperties: false } } },
    valid: [{ a: { a: {} }, b: { b: {} } }],
    invalid: [{ a: { b: {} }, b: {} }],
  },
  {
    name: "an anonymous type that contains itself",
    type: "{ tree: typeof ROOT }",
    declarations: "declare const ROOT: { kids: (typeof ROOT)[] };",
    schema: { type: "object", properties: { tree: { $ref: "#/$defs/Tree" } }, required: ["tree"], additionalProperties: false, $defs: { Tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Tree" } } }, required: ["kids"], additionalProperties: false } } },
    valid: [{ tree: { kids: [{ kids: [] }] } }],
    invalid: [{ tree: { kids: [1] } }],
  },
  {
    name: "a described recursive member",
    type: "Tree",
    declarations: `/** A node. */
interface Tree {
/** To the left. */ left?: Tree;
/** To the right. */ right?: Tree }`,
    schema: { type: "object", description: "A node.", properties: { left: { $ref: "#/$defs/Tree", description: "To the left." }, right: { $ref: "#/$defs/Tree", description: "To the right." } }, additionalProperties: false, $defs: { Tree: { type: "object", description: "A node.", properties: { left: { $ref: "#/$defs/Tree", description: "To the left." }, right: { $ref: "#/$defs/Tree", description: "To the right." } }, additionalProperties: false } } },
    valid: [{ left: { right: {} } }],
    invalid: [{ left: 1 }],
  },
  {
    name: "mapped recursion",
    type: "DeepReadonly<Tree>",
    declarations: `type DeepReadonly<T> = { readonly [K in keyof T]: DeepReadonly<T[K]> };
interface Tree { name: string; kids?: Tree[] }`,
    schema: { type: "object", properties: { name: { type: "string" }, kids: { $ref: "#/$defs/DeepReadonlyOfTreeList" } }, required: ["name"], additionalProperties: false, $defs: { DeepReadonlyOfTreeList: { type: "array", items: { type: "object", properties: { name: { type: "string" }, kids: { $ref: "#/$defs/DeepReadonlyOfTreeList" } }, required: ["name"], additionalProperties: false } } } },
    valid: [{ name: "a", kids: [{ name: "b" }] }],
    invalid: [{ kids: [] }],
  },
];
