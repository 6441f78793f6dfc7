import { ts } from "@ts-morph/common";
import { admitsUndefined } from "./nullable.ts";
import { nameOf, placeBelow, remark, writtenType, type Place, type Walk } from "./walk.ts";

const NEVER_THERE = "is never there";

/** One member that JSON can have. */
export interface Member {
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly type: ts.Type;
  /** JSON need not have it. */
  readonly isOptional: boolean;
  /** Where it is declared, if anywhere. */
  readonly at: ts.Node | undefined;
  readonly written: ts.TypeNode | undefined;
}

/** Lists the members of an object in the author's order; what JSON cannot have is left out, and said. */
export function listMembers(type: ts.Type, place: Place, walk: Walk): Member[] {
  const { checker } = walk.context;
  const members: Member[] = [];
  for (const symbol of inOrder(type, checker)) {
    const member = toMember(symbol, place, walk);
    if (member !== undefined) members.push(member);
  }
  return members;
}

/** Members of mapped types come in the order in which the checker met their names, which changes with files that have no part in it. */
function inOrder(type: ts.Type, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const symbols = checker.getPropertiesOfType(type);
  const isMapped = type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped;
  return isMapped ? symbols.toSorted(compareDeclared) : symbols;
}

function compareDeclared(a: ts.Symbol, b: ts.Symbol): number {
  const [first] = a.declarations ?? [];
  const [second] = b.declarations ?? [];
  if (first === undefined || second === undefined)
    return first === second ? compareText(a.name, b.name) : first ? -1 : 1;
  return (
    compareText(first.getSourceFile().fileName, second.getSourceFile().fileName) ||
    first.pos - second.pos ||
    compareText(a.name, b.name)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function toMember(symbol: ts.Symbol, place: Place, walk: Walk): Member | undefined {
  const { checker } = walk.context;
  const at = symbol.valueDeclaration ?? symbol.declarations?.[0];
  if (isHidden(symbol, at)) return undefined;
  const type = checker.getTypeOfSymbol(symbol);
  const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0 || admitsUndefined(type);
  const member = { name: symbol.name, symbol, type, isOptional, at, written: writtenType(at) };
  const inside = placeBelow(place, toShownName(symbol.name), { ...(at && { at }) });
  const reason = reasonToLeaveOut(member, checker);
  if (reason === undefined) return member;
  leaveOut(member, inside, { walk, reason });
  return undefined;
}

/** A symbol's name has a number after it that differs from one compilation to the next. */
function toShownName(name: string): string {
  const symbolName = /^__@(.+)@\d+$/.exec(name)?.[1];
  return symbolName === undefined ? name : `[${symbolName}]`;
}

/** Private to its class, or not its object's own. */
function isHidden(symbol: ts.Symbol, at: ts.Node | undefined): boolean {
  if (String(symbol.escapedName).startsWith("__#")) return true;
  if (at === undefined) return false;
  if (ts.isGetAccessor(at) || ts.isSetAccessor(at)) return ts.isClassLike(at.parent);
  const flags = ts.isClassElement(at) || ts.isParameter(at) ? ts.getCombinedModifierFlags(at as ts.Declaration) : 0;
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
}

function reasonToLeaveOut({ symbol, type, name }: Member, checker: ts.TypeChecker): string | undefined {
  if (String(symbol.escapedName).startsWith("__@")) return "is named by a symbol";
  if (name === "__proto__") return "is named __proto__, which JSON readers refuse";
  const bare = checker.getNonNullableType(type);
  if (symbol.flags & ts.SymbolFlags.Method) return "is a method";
  if (checker.getSignaturesOfType(bare, ts.SignatureKind.Call).length > 0) return "is a function";
  return isNeverThere(type) ? NEVER_THERE : undefined;
}

/** `x?: never` and `x: undefined` forbid a member. */
function isNeverThere(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return (
    admitsUndefined(type) && parts.every(({ flags }) => (flags & (ts.TypeFlags.VoidLike | ts.TypeFlags.Never)) !== 0)
  );
}

/** A class may have methods; what a model must write and cannot is an error. */
function leaveOut(
  { isOptional, at, symbol }: Member,
  place: Place,
  { walk, reason }: { readonly walk: Walk; readonly reason: string },
): void {
  const isOfClass = at !== undefined && ts.isClassLike(at.parent);
  if (reason === NEVER_THERE || (isOfClass && symbol.flags & ts.SymbolFlags.Method)) return;
  const isNeeded = !isOptional && walk.context.direction === "input";
  const name = nameOf(place, walk.context);
  if (isNeeded) {
    remark(walk, place, {
      code: "type_unsupported",
      message: `${name} ${reason}, which JSON does not have.`,
      fix: "Leave it out of the type of the input (Omit<T, …>), or make it optional.",
    });
    return;
  }
  remark(walk, place, {
    code: "member_left_out",
    severity: "info",
    message: `${name} ${reason} and is not offered.`,
    fix: "Nothing, if no model is meant to see it; leave it out of the type to be plain.",
  });
}
