import { ts } from "@ts-morph/common";
import { readInheritedDoc } from "../docs/inherit-doc.ts";
import type { Doc } from "../docs/read-doc.ts";
import { findTag } from "../docs/read-doc.ts";

/** The form of a function that a model is told. */
export interface PickedSignature {
  readonly signature: ts.Signature;
  readonly doc: Doc | undefined;
  /** Others are left out. */
  readonly isOneOfMany: boolean;
}

/** Picks the last documented overload; a function that is not overloaded has one signature. */
export function pickSignature(
  signatures: readonly ts.Signature[],
  declaration: ts.Node,
  checker: ts.TypeChecker,
): PickedSignature | undefined {
  const documented = signatures.map((signature) => ({
    signature,
    doc: readInheritedDoc(docNode(signature, declaration), checker),
  }));
  const picked = documented.findLast(({ doc }) => isDocumented(doc)) ?? documented.at(-1);
  return picked && { ...picked, isOneOfMany: signatures.length > 1 };
}

/** True when a comment says what something does, and does not say that it is nobody's business. */
export function isDocumented(doc: Doc | undefined): doc is Doc {
  return doc !== undefined && doc.summary !== "" && findTag(doc, "internal") === undefined;
}

/** The comment of a constant is its own; those of overloads stand at each of them. */
function docNode(signature: ts.Signature, declaration: ts.Node): ts.Node {
  const own: ts.Node | undefined = signature.getDeclaration();
  const isOverload =
    own !== undefined &&
    (ts.isFunctionDeclaration(own) || ts.isMethodDeclaration(own)) &&
    own.kind === declaration.kind;
  return isOverload ? own : declaration;
}
