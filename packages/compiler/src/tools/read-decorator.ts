import type { Json, JsonObject } from "@aiw/core";
import { ts } from "@ts-morph/common";
import type { Report } from "../docs/read-constraints.ts";
import type { Compilation } from "./compilation.ts";
import { isCoreValue } from "./core-names.ts";
import { nameOfMember, readLiteral } from "./literal-value.ts";

/** What `@tool({ … })` says of a method. */
export interface DecoratorFacts {
  readonly node: ts.Decorator;
  /** The code has a schema of its own, and tells its definition itself. */
  readonly isLeftToCode: boolean;
  /** Literal values by name. */
  readonly values: JsonObject;
}

/** Members that make the code the source of the definition. */
const SCHEMAS: ReadonlySet<string> = new Set(["input", "inputSchema"]);

/** Finds the decorator of `@aiw/core` at a method, whatever it is called here. */
export function findToolDecorator(method: ts.Node, compilation: Compilation): ts.Decorator | undefined {
  const decorators = ts.canHaveDecorators(method) ? (ts.getDecorators(method) ?? []) : [];
  return decorators.find(({ expression }) =>
    isCoreValue(ts.isCallExpression(expression) ? expression.expression : expression, "tool", compilation),
  );
}

/** Reads a decorator's values; one that only running the code would tell is reported. */
export function readDecorator(node: ts.Decorator, checker: ts.TypeChecker, report: Report): DecoratorFacts {
  const argument = ts.isCallExpression(node.expression) ? node.expression.arguments[0] : undefined;
  if (argument === undefined) return { node, isLeftToCode: false, values: {} };
  const facts = resolveObject(argument, checker);
  if (facts === undefined) {
    report(notLiteral(argument, "The argument of @tool"));
    return { node, isLeftToCode: false, values: {} };
  }
  if (facts.properties.some((member) => SCHEMAS.has(nameOfMember(member) ?? ""))) {
    return { node, isLeftToCode: true, values: {} };
  }
  return { node, isLeftToCode: false, values: readValues(facts, checker, report) };
}

function readValues(facts: ts.ObjectLiteralExpression, checker: ts.TypeChecker, report: Report): JsonObject {
  const values: [string, Json][] = [];
  for (const member of facts.properties) {
    const name = nameOfMember(member);
    const value = readMember(member, checker);
    if (name === undefined || !value.known) report(notLiteral(member, `${name?.slice(0, 80) ?? "A member"} of @tool`));
    else if (value.value !== undefined) values.push([name, value.value]);
  }
  return Object.fromEntries(values);
}

function readMember(member: ts.ObjectLiteralElementLike, checker: ts.TypeChecker): ReturnType<typeof readLiteral> {
  if (ts.isPropertyAssignment(member)) return readLiteral(member.initializer, { checker });
  return ts.isShorthandPropertyAssignment(member) ? readLiteral(member.name, { checker }) : { known: false };
}

/** Written in place, or a constant. */
function resolveObject(node: ts.Expression, checker: ts.TypeChecker): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(node)) return node;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return resolveObject(node.expression, checker);
  const declaration = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined;
  const { initializer } = declaration;
  return initializer !== undefined && !ts.isIdentifier(initializer) ? resolveObject(initializer, checker) : undefined;
}

function notLiteral(node: ts.Node, what: string): Parameters<Report>[0] {
  return {
    code: "decorator_not_literal",
    severity: "error",
    message: `${what} is known only when the code runs.`,
    fix: "Write the value out (text, number, list or object), or give the decorator an `input` schema of its own.",
    node,
  };
}
