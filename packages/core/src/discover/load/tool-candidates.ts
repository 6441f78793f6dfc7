import { isTool } from "../../contract/tool.ts";
import { methodOriginOf, toMethodTool } from "../../define/decorate/to-method-tool.ts";
import { listToolMethods, type ToolMethod } from "../../define/decorate/tool-methods.ts";
import { asObject, isToolClass } from "./pick-tool.ts";

/** One thing a module exports as a tool. */
export interface Candidate {
  /** For people: where it is. */
  readonly name: string;
  /** A tool, a tool class, or what has the method. */
  readonly value: unknown;
  /** Present when the tool is a method of the value. */
  readonly method?: ToolMethod;
}

/** Lists the tools that an export brings: itself, the items of a list, the tool methods of a class or an instance. */
export function listCandidates(name: string, value: unknown): readonly Candidate[] {
  if (!Array.isArray(value)) return listOne(name, value);
  return value.flatMap((item: unknown, index) => listOne(`${name}[${index}]`, item));
}

function listOne(name: string, value: unknown): Candidate[] {
  if (isTool(value) || isToolClass(value)) return [{ name, value }];
  return listToolMethods(value).map((method) => ({ name: `${name}.${method.method}`, value, method }));
}

/** Gives the tool that a candidate is or becomes; anything else as it is. */
export function toCandidateTool({ value, method }: Candidate): unknown {
  if (method !== undefined) return toMethodTool(value as object, method);
  return isToolClass(value) ? new value() : value;
}

/**
 * Leaves out what comes a second time: one tool under two names is one tool, and so are a class and its exported instance,
 * whoever made tools of their methods.
 */
export function distinctCandidates<One extends Candidate>(candidates: readonly One[]): readonly One[] {
  const owners = candidates.map((candidate) => identify(candidate).owner);
  const made = new Set(
    owners.map((owner) => (typeof owner === "object" ? asObject(owner)?.["constructor"] : undefined)),
  );
  const seen = new Map<unknown, Set<string>>();
  return candidates.filter((candidate) => {
    const { owner, part, isStatic } = identify(candidate);
    const parts = seen.get(owner) ?? new Set();
    const isNew = !parts.has(part) && (isStatic || !made.has(owner));
    seen.set(owner, parts.add(part));
    return isNew;
  });
}

/** What makes two candidates the same tool. */
interface Identity {
  readonly owner: unknown;
  readonly part: string;
  readonly isStatic: boolean;
}

function identify({ value, method }: Candidate): Identity {
  const origin = method === undefined ? methodOriginOf(value as object) : { owner: value, ...method };
  if (origin === undefined) return { owner: value, part: "", isStatic: false };
  return { owner: origin.owner, part: `${origin.isStatic} ${origin.method}`, isStatic: origin.isStatic };
}
