import { ts } from "@ts-morph/common";
import { readInheritedDoc } from "../docs/inherit-doc.ts";
import { findTag } from "../docs/read-doc.ts";
import type { Candidate } from "./candidate.ts";
import { isOwnFile, type Compilation } from "./compilation.ts";
import { isCoreType } from "./core-names.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import type { ModuleExport } from "./find-exports.ts";
import { isDocumented, pickSignature } from "./pick-signature.ts";
import { functionsOfObject, notOfPackage, overloaded, undocumented } from "./choice-remarks.ts";
import { toMethodCandidates } from "./to-method-candidates.ts";

/** Finds the functions behind an export that are to become tools, and says why others are none. */
export function toCandidates(found: ModuleExport, compilation: Compilation, log: DiagnosticLog): Candidate[] {
  const { checker } = compilation;
  if (isClassExport(found)) return toMethodCandidates(found, compilation, log);
  const type = checker.getTypeOfSymbolAtLocation(found.symbol, found.declaration);
  // Their code tells what they are.
  if (isCoreType(type, ["Tool", "ToolPackage", "BaseTool"], compilation)) return [];
  const signatures = type.getCallSignatures();
  if (type.getConstructSignatures().length > 0) return [];
  if (signatures.length === 0) {
    reportObject(found, type, { compilation, log });
    return [];
  }
  return toFunctionCandidate(found, signatures, { compilation, log });
}

/** An object, or the instance of a class, with documented functions was meant for something. */
function reportObject({ name, declaration, place }: ModuleExport, type: ts.Type, context: CandidateContext): void {
  const { compilation, log } = context;
  const { checker, tellsItself } = compilation;
  if (tellsItself || isInternal(declaration, checker)) return;
  const members = checker.getPropertiesOfType(type).flatMap(({ valueDeclaration }) => valueDeclaration ?? []);
  const isMeant = members.some(
    (member) =>
      isOwnFile(member.getSourceFile().fileName, compilation) &&
      checker.getTypeAtLocation(member).getCallSignatures().length > 0 &&
      isDocumented(readInheritedDoc(member, checker)),
  );
  if (isMeant) log.add(functionsOfObject(name, place));
}

interface CandidateContext {
  readonly compilation: Compilation;
  readonly log: DiagnosticLog;
}

function toFunctionCandidate(
  { name, symbol, declaration, place }: ModuleExport,
  signatures: readonly ts.Signature[],
  { compilation: { checker, tellsItself }, log }: CandidateContext,
): Candidate[] {
  const picked = pickSignature(ownSignatures(declaration, signatures, checker), declaration, checker);
  if (picked === undefined || isInternal(declaration, checker)) return [];
  const { signature, doc, isOneOfMany } = picked;
  if (findTag(doc, "internal") !== undefined) return [];
  if (!isDocumented(doc)) {
    if (!tellsItself) log.add(undocumented(name, place, picked));
    return [];
  }
  if (tellsItself && findTag(doc, "tool") === undefined) {
    log.add(notOfPackage(name, place));
    return [];
  }
  const node = isOneOfMany && place === declaration ? signature.getDeclaration() : place;
  if (isOneOfMany) log.add(overloaded(name, node));
  const ownName = name === "default" ? nameOfDefault(symbol, declaration) : name;
  return [{ export: name, ownName, node, doc, signature }];
}

/** The function written at a constant tells defaults and names that its declared type does not. */
function ownSignatures(
  declaration: ts.Declaration,
  signatures: readonly ts.Signature[],
  checker: ts.TypeChecker,
): readonly ts.Signature[] {
  const written = ts.isVariableDeclaration(declaration)
    ? declaration.initializer
    : ts.isExportAssignment(declaration)
      ? declaration.expression
      : undefined;
  if (written === undefined || !(ts.isArrowFunction(written) || ts.isFunctionExpression(written))) return signatures;
  const signature = checker.getSignatureFromDeclaration(written);
  return signature === undefined ? signatures : [signature];
}

function isClassExport({ symbol, declaration }: ModuleExport): boolean {
  if ((symbol.flags & ts.SymbolFlags.Class) !== 0) return true;
  return (
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    ts.isClassExpression(declaration.initializer)
  );
}

/** The implementation of overloads may say it for all of them. */
function isInternal(declaration: ts.Declaration, checker: ts.TypeChecker): boolean {
  return findTag(readInheritedDoc(declaration, checker), "internal") !== undefined;
}

function nameOfDefault({ name }: ts.Symbol, declaration: ts.Declaration): string {
  if (name !== "default" && name !== "export=") return name;
  const written = ts.isExportAssignment(declaration) ? declaration.expression : declaration;
  return ts.getNameOfDeclaration(written as ts.Declaration)?.getText() ?? "";
}
