import fc from "fast-check";

/** A member of an object. */
interface TreeMember {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: TypeTree;
}

/** A type as a tree, from which its TypeScript, its values and values that are none can be told. */
export type TypeTree =
  | { readonly kind: "string" | "number" | "boolean" | "template" }
  | { readonly kind: "literals"; readonly values: readonly (string | number)[] }
  | { readonly kind: "nullable" | "list" | "record"; readonly of: TypeTree }
  | { readonly kind: "tuple"; readonly items: readonly TypeTree[] }
  | { readonly kind: "object" | "partial" | "interface"; readonly members: readonly TreeMember[] }
  | { readonly kind: "choice"; readonly branches: readonly (readonly TreeMember[])[] }
  | { readonly kind: "mixed"; readonly values: readonly string[]; readonly of: TypeTree };

const NAMES = ["id", "name", "when", "a-b", "constructor", "toString", "__x", "$ref", "type", "1", "ü", "with space"];

const leaf: fc.Arbitrary<TypeTree> = fc.oneof(
  fc.constantFrom<TypeTree>({ kind: "string" }, { kind: "number" }, { kind: "boolean" }, { kind: "template" }),
  fc
    .uniqueArray(fc.oneof(fc.string({ maxLength: 6 }), fc.integer({ min: -9, max: 99 })), { minLength: 1, maxLength: 5 })
    .map((values) => ({ kind: "literals" as const, values })),
);

/** Any type that this file knows. */
export const typeTree: fc.Arbitrary<TypeTree> = fc.letrec<{ tree: TypeTree }>((tie) => {
  const members = fc
    .uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 })
    .chain((names) => fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), isOptional: fc.boolean(), type: tie("tree") }))));
  return {
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ kind: fc.constantFrom("nullable" as const, "list" as const, "record" as const), of: tie("tree") }),
      fc.record({ kind: fc.constant("tuple" as const), items: fc.array(tie("tree"), { maxLength: 3 }) }),
      fc.record({ kind: fc.constantFrom("object" as const, "partial" as const, "interface" as const), members }),
      fc.record({ kind: fc.constant("choice" as const), branches: fc.array(members, { minLength: 2, maxLength: 3 }) }),
      fc.record({
        kind: fc.constant("mixed" as const),
        values: fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        of: tie("tree").map((of) => ({ kind: "list" as const, of })),
      }),
    ),
  };
}).tree;

/** TypeScript of a type; interfaces are declared before it. */
export function printTree(tree: TypeTree): { readonly declarations: string; readonly type: string } {
  const declarations: string[] = [];
  const declare = (members: string): string => {
    declarations.push(`interface I${declarations.length} ${members}`);
    return `I${declarations.length - 1}`;
  };
  const print = (one: TypeTree): string => {
    switch (one.kind) {
      case "string":
      case "number":
      case "boolean":
        return one.kind;
      case "template":
        return "`x-${number}`";
      case "literals":
        return one.values.map((value) => JSON.stringify(value)).join(" | ");
      case "nullable":
        return `(${print(one.of)}) | null`;
      case "list":
        return `(${print(one.of)})[]`;
      case "record":
        return `Record<string, ${print(one.of)}>`;
      case "tuple":
        return `[${one.items.map(print).join(", ")}]`;
      case "object":
        return printMembers(one.members, print);
      case "partial":
        return one.members.length === 0 ? printMembers([], print) : `Partial<${printMembers(one.members, print)}>`;
      case "interface":
        return declare(printMembers(one.members, print));
      case "choice":
        return one.branches.map((members, index) => printMembers([toTag(index), ...members], print)).join(" | ");
      case "mixed":
        return `${one.values.map((value) => JSON.stringify(value)).join(" | ")} | ${print(one.of)}`;
    }
  };
  const type = print(tree);
  return { declarations: declarations.join("\n"), type };
}

function toTag(index: number): TreeMember {
  return { name: "kind", isOptional: false, type: { kind: "literals", values: [`k${index}`] } };
}

function printMembers(members: readonly TreeMember[], print: (tree: TypeTree) => string): string {
  // What has no members admits anything, unless it is never given one.
  if (members.length === 0) return "{ none?: never }";
  return `{ ${members.map(({ name, isOptional, type }) => `${JSON.stringify(name)}${isOptional ? "?" : ""}: ${print(type)}`).join("; ")} }`;
}

/** Values of a type. */
export function valuesOf(tree: TypeTree): fc.Arbitrary<unknown> {
  switch (tree.kind) {
    case "string":
      return fc.string();
    case "number":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "boolean":
      return fc.boolean();
    case "template":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((value) => `x-${value}`);
    case "literals":
      return fc.constantFrom(...tree.values);
    case "nullable":
      return fc.option(valuesOf(tree.of));
    case "list":
      return fc.array(valuesOf(tree.of), { maxLength: 3 });
    case "record":
      return fc.dictionary(fc.string({ maxLength: 5 }), valuesOf(tree.of), { maxKeys: 3, noNullPrototype: true });
    case "tuple":
      return fc.tuple(...tree.items.map(valuesOf));
    case "object":
    case "interface":
      return valuesOfMembers(tree.members);
    case "partial":
      return valuesOfMembers(tree.members.map((member) => ({ ...member, isOptional: true })));
    case "choice":
      return fc.oneof(...tree.branches.map((members, index) => valuesOfMembers([toTag(index), ...members])));
    case "mixed":
      return fc.oneof(fc.constantFrom(...tree.values), valuesOf(tree.of));
  }
}

function valuesOfMembers(members: readonly TreeMember[]): fc.Arbitrary<object> {
  const parts = members.map(({ name, isOptional, type }) => {
    const value = valuesOf(type).map((one): (readonly [string, unknown])[] => [[name, one]]);
    return isOptional ? fc.oneof(value, fc.constant([])) : value;
  });
  return fc.tuple(...parts).map((entries) => Object.fromEntries(entries.flat()));
}

/** A value that no type of this file admits, but records of everything. */
const STRANGE = { "no such member": [{}] };

function strangeTo(tree: TypeTree): unknown {
  if (tree.kind === "nullable") return strangeTo(tree.of);
  return tree.kind === "record" ? 5 : STRANGE;
}

/** Values near one of the type that are none of it: a part of the wrong type, missing, one too many, out of the choice. */
export function mutantsOf(tree: TypeTree, value: unknown): unknown[] {
  return [strangeTo(tree), ...mutantsInside(tree, value)];
}

function mutantsInside(tree: TypeTree, value: unknown): unknown[] {
  switch (tree.kind) {
    case "string":
      return [1, null, ["a"]];
    case "number":
      return ["1", null];
    case "boolean":
      return ["true", 0, null];
    case "template":
      return ["x-", "x-a", "y-1", null];
    case "literals":
      return ["no such choice", null];
    case "nullable":
      return value === null ? [] : mutantsInside(tree.of, value).filter((mutant) => mutant !== null);
    case "list":
      return [...(value as unknown[]).flatMap((item, index) => replaceItem(value, index, mutantsOf(tree.of, item))), [...(value as unknown[]), strangeTo(tree.of)]];
    case "record":
      return [{ ...(value as object), wrong: strangeTo(tree.of) }];
    case "tuple":
      return mutantsOfTuple(tree.items, value as unknown[]);
    case "object":
    case "interface":
      return mutantsOfMembers(tree.members, value as Record<string, unknown>);
    case "partial":
      return mutantsOfMembers(tree.members.map((member) => ({ ...member, isOptional: true })), value as Record<string, unknown>);
    case "choice":
      return [{ ...(value as object), kind: "no such kind" }, { ...(value as object), "no such member": 1 }];
    case "mixed":
      return Array.isArray(value) ? mutantsInside(tree.of, value) : ["no such choice", null, 1];
  }
}

function replaceItem(list: unknown, index: number, mutants: readonly unknown[]): unknown[] {
  return mutants.slice(0, 2).map((mutant) => (list as unknown[]).with(index, mutant));
}

function mutantsOfTuple(items: readonly TypeTree[], value: readonly unknown[]): unknown[] {
  const shorter = items.length === 0 ? [] : [value.slice(0, -1)];
  return [...shorter, [...value, 1], ...items.flatMap((item, index) => replaceItem(value, index, mutantsOf(item, value[index])))];
}

function mutantsOfMembers(members: readonly TreeMember[], value: Record<string, unknown>): unknown[] {
  const mutants: unknown[] = [{ ...value, "no such member": 1 }];
  for (const { name, isOptional, type } of members) {
    const { [name]: own, ...others } = value;
    if (!isOptional) mutants.push(others);
    if (!Object.hasOwn(value, name)) continue;
    for (const mutant of mutantsOf(type, own).slice(0, 3)) mutants.push({ ...value, [name]: mutant });
  }
  return mutants;
}
