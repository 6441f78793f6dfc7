import { ts } from "@ts-morph/common";
import type { Report } from "../docs/read-constraints.ts";
import type { Compilation } from "./compilation.ts";
import { isCoreType, isCoreTypeNode } from "./core-names.ts";

/** One parameter of a function, as a call gives it. */
export interface CallParameter {
  readonly symbol: ts.Symbol;
  readonly type: ts.Type;
  /** Where remarks are made. */
  readonly node: ts.Node;
  /** Absent for a parameter that only a JSDoc type declares. */
  readonly declaration: ts.ParameterDeclaration | undefined;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

/** Lists the parameters that arguments go to: the tool's context, which a host gives, is left out. */
export function listParameters(signature: ts.Signature, compilation: Compilation, report: Report): CallParameter[] {
  const parameters = signature.parameters.map((symbol) => toParameter(symbol, signature, compilation));
  reportThis(signature, report);
  const isContext = parameters.map((parameter) => isToolContext(parameter, compilation));
  const last = parameters.length - 1;
  for (const [index, parameter] of parameters.entries()) {
    if (isContext[index] === true && (index < last || parameter.isRest)) report(misplacedContext(parameter.node));
  }
  return parameters.filter((_, index) => isContext[index] !== true);
}

function toParameter(symbol: ts.Symbol, signature: ts.Signature, { checker, entry }: Compilation): CallParameter {
  const node: ts.Node = symbol.valueDeclaration ?? signature.getDeclaration() ?? entry;
  const declaration = ts.isParameter(node) ? node : undefined;
  const isOptional =
    (declaration !== undefined && checker.isOptionalParameter(declaration)) ||
    (symbol.flags & ts.SymbolFlags.Optional) !== 0 ||
    (ts.isJSDocParameterTag(node) && node.isBracketed);
  const isRest = declaration?.dotDotDotToken !== undefined;
  return { symbol, type: checker.getTypeOfSymbolAtLocation(symbol, node), node, declaration, isOptional, isRest };
}

function isToolContext({ type, declaration, isRest }: CallParameter, compilation: Compilation): boolean {
  const { checker } = compilation;
  const item = isRest ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
  const bare = checker.getNonNullableType(item ?? type);
  return (
    isCoreType(bare, ["ToolContext"], compilation) || isCoreTypeNode(declaration?.type, "ToolContext", compilation)
  );
}

/** Nobody calls a tool on an object. */
function reportThis(signature: ts.Signature, report: Report): void {
  const declaration: ts.SignatureDeclaration | undefined = signature.getDeclaration();
  const [first] = declaration?.parameters ?? [];
  if (first === undefined || !ts.isIdentifier(first.name) || first.name.text !== "this") return;
  if (first.type?.kind === ts.SyntaxKind.VoidKeyword || ts.isClassLike(declaration.parent)) return;
  report({
    code: "this_parameter",
    severity: "error",
    message: "The function expects a `this`, which a call of a tool does not have.",
    fix: "Take it as an ordinary parameter, or write the function as a method of an exported class.",
    node: first,
  });
}

function misplacedContext(node: ts.Node): Parameters<Report>[0] {
  return {
    code: "context_misplaced",
    severity: "error",
    message: "The ToolContext is not the last parameter, where hosts give it.",
    fix: "Move it to the end; a rest parameter before it becomes a list: (items: string[], context: ToolContext).",
    node,
  };
}
