import { ts } from "@ts-morph/common";
import { unwrapWritten } from "./walk.ts";

/** One member of a union, and how the author wrote it. */
export interface UnionMember {
  readonly type: ts.Type;
  readonly written: ts.TypeNode | undefined;
}

/**
 * Lists the members of a union as the author wrote them; the checker's own order changes with files that have no part in it.
 * Members that nobody wrote down come last: literals by value, others by where they are declared.
 */
export function inWrittenOrder(
  type: ts.UnionType,
  written: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): UnionMember[] {
  const left = new Set(type.types);
  const ordered: UnionMember[] = [];
  const declared = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
  for (const member of [...listWritten(written, checker), ...listWritten(declared, checker)]) {
    if (left.delete(member.type)) ordered.push(member);
  }
  return [...ordered, ...sortTypes([...left], checker).map((one) => ({ type: one, written: undefined }))];
}

function sortTypes(types: readonly ts.Type[], checker: ts.TypeChecker): readonly ts.Type[] {
  // Most often it is the `undefined` of what may be left out, and a key is a text that the checker has to print.
  if (types.length < 2) return types;
  return types
    .map((one) => ({ one, key: sortKey(one, checker) }))
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ one }) => one);
}

function listWritten(written: ts.TypeNode | undefined, checker: ts.TypeChecker): UnionMember[] {
  const node = unwrapWritten(written, checker);
  if (written === undefined || node === undefined) return [];
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((part) => listWritten(part, checker));
  const type = checker.getTypeFromTypeNode(node);
  if (ts.isIndexedAccessTypeNode(node)) return listAccessed(node, checker);
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword) return listNames(node.type, checker);
  if (!type.isUnion()) return [{ type, written }];
  // `boolean` is written once and has two members; what others have is put in order by what they are.
  return type.flags & ts.TypeFlags.Boolean ? type.types.map((one) => ({ type: one, written: undefined })) : [];
}

/** `(typeof LIST)[number]` and `T[keyof T]`. */
function listAccessed(node: ts.IndexedAccessTypeNode, checker: ts.TypeChecker): UnionMember[] {
  const owner = checker.getTypeFromTypeNode(node.objectType);
  const types = checker.isTupleType(owner)
    ? checker.getTypeArguments(owner as ts.TypeReference)
    : checker.getPropertiesOfType(owner).map((member) => checker.getTypeOfSymbol(member));
  return types.map((type) => ({ type: regular(type), written: undefined }));
}

function listNames(node: ts.TypeNode, checker: ts.TypeChecker): UnionMember[] {
  const members = checker.getPropertiesOfType(checker.getTypeFromTypeNode(node));
  return members.map(({ name }) => ({ type: checker.getStringLiteralType(name), written: undefined }));
}

/** Literals of values are told from those of types, though they are the same. */
function regular(type: ts.Type): ts.Type {
  return (type as ts.LiteralType).regularType ?? type;
}

type SortKey = readonly [rank: number, text: string, position: number];

function sortKey(type: ts.Type, checker: ts.TypeChecker): SortKey {
  const declaration = (type.aliasSymbol ?? type.symbol)?.declarations?.[0];
  if (type.flags & ts.TypeFlags.EnumLiteral && declaration !== undefined)
    return [0, declaration.getSourceFile().fileName, declaration.pos];
  if (type.isStringLiteral()) return [1, type.value, 0];
  if (type.isNumberLiteral()) return [2, "", type.value];
  if (declaration === undefined) return [3, checker.typeToString(type), 0];
  return [4, declaration.getSourceFile().fileName, declaration.pos];
}

function compareKeys(a: SortKey, b: SortKey): number {
  return a[0] - b[0] || Number(a[1] > b[1]) - Number(a[1] < b[1]) || a[2] - b[2];
}
