import { ts } from "@ts-morph/common";
import { readInheritedDoc } from "../docs/inherit-doc.ts";
import { findTag, type Doc } from "../docs/read-doc.ts";
import type { Remark } from "../docs/read-constraints.ts";
import type { Candidate } from "./candidate.ts";
import { isOwnFile, type Compilation } from "./compilation.ts";
import { isCoreType } from "./core-names.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import type { ModuleExport } from "./find-exports.ts";
import {
  baseTool,
  fieldNoMethod,
  notOfPackage,
  undocumentedClass,
  undocumentedMethod,
  withoutMethods,
} from "./choice-remarks.ts";
import { isDocumented, pickSignature } from "./pick-signature.ts";
import { findToolDecorator, readDecorator } from "./read-decorator.ts";

/** A public method of a class, its own or inherited. */
interface FoundMethod {
  readonly name: string;
  readonly isStatic: boolean;
  readonly symbol: ts.Symbol;
  readonly declaration: ts.MethodDeclaration;
  readonly decorator: ts.Decorator | undefined;
}

/** Finds the methods of an exported class that are to become tools: decorated ones, or else documented ones. */
export function toMethodCandidates(found: ModuleExport, compilation: Compilation, log: DiagnosticLog): Candidate[] {
  const { checker } = compilation;
  const node = classNode(found.declaration);
  const doc = readInheritedDoc(found.declaration, checker);
  if (node === undefined || findTag(doc, "internal") !== undefined) return [];
  const instance = checker.getTypeAtLocation(node);
  if (isCoreType(instance, ["BaseTool"], compilation)) {
    log.add(baseTool(found.name, found.place));
    return [];
  }
  const methods = findMethods(found, instance, compilation);
  const decorated = methods.filter(({ decorator }) => decorator !== undefined);
  if (decorated.length === 0 && !isDocumented(doc)) {
    if (!compilation.tellsItself) log.add(undocumentedClass(found.name, found.place, doc));
    return [];
  }
  if (decorated.length === 0 && !compilation.tellsItself) reportFields(instance, compilation, log);
  const context = { found, compilation, log };
  const candidates = (decorated.length > 0 ? decorated : methods).flatMap((method) =>
    toCandidate(method, doc, context),
  );
  if (candidates.length === 0 && decorated.length === 0) {
    log.add(compilation.tellsItself ? notOfPackage(found.name, found.place) : withoutMethods(found.name, found.place));
  }
  const obstacle = findObstacle(node, instance, checker);
  if (obstacle === undefined || candidates.every(({ place }) => place?.isStatic === true)) return candidates;
  log.add(obstacle);
  return candidates.filter(({ place }) => place?.isStatic === true);
}

interface MethodContext {
  readonly found: ModuleExport;
  readonly compilation: Compilation;
  readonly log: DiagnosticLog;
}

function toCandidate(
  method: FoundMethod,
  classDoc: Doc | undefined,
  { found, compilation: { checker, tellsItself }, log }: MethodContext,
): Candidate[] {
  const { name, isStatic, symbol, declaration } = method;
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const picked = pickSignature(type.getCallSignatures(), declaration, checker);
  if (picked === undefined || findTag(picked.doc, "internal") !== undefined) return [];
  let isRefused = false;
  const decorator =
    method.decorator &&
    readDecorator(method.decorator, checker, (remark) => {
      isRefused = true;
      log.add(remark, name);
    });
  if (isRefused || decorator?.isLeftToCode === true) return [];
  if (decorator === undefined && tellsItself && findTag(picked.doc, "tool") === undefined) return [];
  if (decorator === undefined && !isDocumented(picked.doc)) {
    log.add(undocumentedMethod(name, declaration, picked.doc));
    return [];
  }
  // A class says of its methods what they do not say themselves.
  const doc = picked.doc && { ...picked.doc, tags: [...picked.doc.tags, ...inheritedTags(classDoc)] };
  const place = { method: name, isStatic };
  const { signature } = picked;
  return [
    { export: found.name, place, ownName: name, node: declaration, doc, signature, ...(decorator && { decorator }) },
  ];
}

/** What is said once for all methods of a class. */
const SHARED_TAGS: ReadonlySet<string> = new Set([
  "category",
  "tags",
  "effects",
  "permissions",
  "version",
  "requiresApproval",
  "timeout",
]);

function inheritedTags(doc: Doc | undefined): Doc["tags"] {
  return (doc?.tags ?? []).filter(({ name }) => SHARED_TAGS.has(name));
}

function classNode(declaration: ts.Declaration): ts.ClassLikeDeclaration | undefined {
  if (ts.isClassLike(declaration)) return declaration;
  const initializer = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return initializer !== undefined && ts.isClassExpression(initializer) ? initializer : undefined;
}

function findMethods(found: ModuleExport, instance: ts.Type, compilation: Compilation): FoundMethod[] {
  const { checker } = compilation;
  const statics = checker.getTypeOfSymbolAtLocation(found.symbol, found.declaration);
  const methods = [
    ...checker.getPropertiesOfType(instance).map((symbol) => ({ symbol, isStatic: false })),
    ...checker.getPropertiesOfType(statics).map((symbol) => ({ symbol, isStatic: true })),
  ];
  return methods.flatMap(({ symbol, isStatic }) => {
    const declaration = symbol.declarations?.findLast((one) => ts.isMethodDeclaration(one));
    if (declaration === undefined || !isPublic(declaration)) return [];
    const isSameFile = declaration.getSourceFile() === found.declaration.getSourceFile();
    if (!isSameFile && !isOwnFile(declaration.getSourceFile().fileName, compilation)) return [];
    return [
      { name: symbol.name, isStatic, symbol, declaration, decorator: findToolDecorator(declaration, compilation) },
    ];
  });
}

/** Says of documented fields that hold a function why they are no tools. */
function reportFields(instance: ts.Type, { checker }: Compilation, log: DiagnosticLog): void {
  for (const { valueDeclaration: field } of checker.getPropertiesOfType(instance)) {
    const written = field !== undefined && ts.isPropertyDeclaration(field) ? field.initializer : undefined;
    if (field === undefined || written === undefined || !ts.isFunctionLike(written)) continue;
    const doc = readInheritedDoc(field, checker);
    const isHidden = ts.getCombinedModifierFlags(field) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
    if (!isHidden && isDocumented(doc)) log.add(fieldNoMethod(instance.symbol.name, field));
  }
}

function isPublic(declaration: ts.MethodDeclaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isNamed = ts.isIdentifier(declaration.name) || ts.isStringLiteralLike(declaration.name);
  return isNamed && (ts.getCombinedModifierFlags(declaration) & hidden) === 0;
}

/** What keeps a host from making an instance. */
function findObstacle(node: ts.ClassLikeDeclaration, instance: ts.Type, checker: ts.TypeChecker): Remark | undefined {
  const isAbstract = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;
  if (isAbstract) return unconstructible(node, "It is abstract.");
  const construct = checker.getTypeOfSymbolAtLocation(instance.symbol, node).getConstructSignatures();
  const declaration = construct[0]?.getDeclaration();
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  if (declaration !== undefined && (ts.getCombinedModifierFlags(declaration) & hidden) !== 0) {
    return unconstructible(declaration, "Its constructor is not public.");
  }
  const isFree = construct.some((one) => one.parameters.every((parameter) => isOptional(parameter, checker)));
  if (construct.length === 0 || isFree) return undefined;
  return unconstructible(declaration ?? node, "Its constructor has a required parameter.");
}

function isOptional({ valueDeclaration: declaration }: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (declaration === undefined || !ts.isParameter(declaration)) return false;
  return declaration.dotDotDotToken !== undefined || checker.isOptionalParameter(declaration);
}

function unconstructible(node: ts.Node, why: string): Remark {
  return {
    code: "class_not_constructible",
    severity: "error",
    message: `No instance of the class can be made to call its methods on. ${why}`,
    fix: "Let `new` take no arguments (read settings from ToolContext.options), make the methods static, or write @internal.",
    node,
  };
}
