import { isRecord } from "../../schema/is-record.ts";
import { isClass } from "../compiled/find-method.ts";
import type { MethodFacts } from "./method-facts.ts";

// Compiled classes have no metadata without it. Whoever decorates a class has imported this before the class is evaluated.
if (Symbol.metadata === undefined)
  Reflect.defineProperty(Symbol, "metadata", {
    value: Symbol.for("Symbol.metadata"),
    writable: true,
    configurable: true,
  });

/** Where a class's metadata keeps its tools, across copies of this package. */
const TOOL_METHODS = Symbol.for("@aiw/core/tool-methods");

/** A method that its author declared a tool. */
export interface ToolMethod {
  readonly method: string;
  /** It belongs to the class itself. */
  readonly isStatic: boolean;
  readonly facts: MethodFacts;
  readonly contractVersion: number;
}

type Metadata = Record<PropertyKey, unknown>;

/** Keeps a declaration in the metadata of the class that is being made. */
export function recordToolMethod(metadata: Metadata, declared: ToolMethod): void {
  // What a class inherits is its parent's list.
  if (!Object.hasOwn(metadata, TOOL_METHODS)) metadata[TOOL_METHODS] = [];
  (metadata[TOOL_METHODS] as ToolMethod[]).push(Object.freeze(declared));
}

/**
 * Lists the tools of a class, or those of an instance, as they were declared, the parent's first; a class that
 * declares a method again replaces what its parent said. Nothing else has any.
 */
export function listToolMethods(value: unknown): readonly ToolMethod[] {
  const isOwner = isClass(value);
  const owner: unknown = isOwner ? value : constructorOf(value);
  if (!isClass(owner)) return [];
  const methods = new Map<string, ToolMethod>();
  for (const metadata of lineageOf((owner as { [Symbol.metadata]?: unknown })[Symbol.metadata])) {
    for (const declared of declaredIn(metadata)) {
      if (isOwner || !declared.isStatic) methods.set(`${declared.isStatic} ${declared.method}`, declared);
    }
  }
  return [...methods.values()];
}

function constructorOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return undefined;
  return Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
}

/** The metadata of a class and its parents, the eldest first. */
function lineageOf(metadata: unknown): object[] {
  const lineage: object[] = [];
  for (let one = metadata; typeof one === "object" && one !== null; one = Object.getPrototypeOf(one))
    lineage.unshift(one);
  return lineage;
}

function declaredIn(metadata: object): ToolMethod[] {
  const declared: unknown = (metadata as Metadata)[TOOL_METHODS];
  return Array.isArray(declared)
    ? declared.filter((one): one is ToolMethod => isRecord(one) && isRecord(one["facts"]))
    : [];
}
