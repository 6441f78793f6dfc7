import type { ts } from "@ts-morph/common";
import type { Doc } from "../docs/read-doc.ts";
import type { DecoratorFacts } from "./read-decorator.ts";

/** The method of an exported class. */
export interface MethodPlace {
  readonly method: string;
  readonly isStatic: boolean;
}

/** A function that is to become a tool. */
export interface Candidate {
  readonly export: string;
  readonly place?: MethodPlace;
  /** What the code calls it; empty when it has no name. */
  readonly ownName: string;
  /** Where remarks on the whole are made. */
  readonly node: ts.Node;
  readonly doc?: Doc | undefined;
  readonly decorator?: DecoratorFacts;
  readonly signature: ts.Signature;
}
