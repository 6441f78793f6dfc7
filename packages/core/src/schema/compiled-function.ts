import type { CompiledFunction } from "../contract/compiled-function.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import type { DataIssue } from "./inspect-data.ts";
import { isRecord } from "./is-record.ts";
import { toPointer } from "./json-pointer.ts";

/** Places of dates that one tool may name. */
const MAX_PLACES = 256;

const MEMBERS = ["compiled", "method", "static", "parameters", "rest", "dates", "outputDates"];

/** Says how a spec's function is called, if its definition was compiled from its source. */
export function compiledOf({
  type,
  implementation,
}: Pick<ToolSpec, "type" | "implementation">): CompiledFunction | undefined {
  return type === "function" && isCompiled(implementation)
    ? (implementation as unknown as CompiledFunction)
    : undefined;
}

/** Checks how a compiled function is called; pointers start at the implementation. Any other implementation is no concern of this. */
export function findCompiledIssues({
  type,
  implementation,
  inputSchema,
}: Readonly<Record<string, unknown>>): DataIssue[] {
  if (type !== "function" || !isCompiled(implementation)) return [];
  const issues: DataIssue[] = [];
  const report = (path: readonly (string | number)[], message: string): void => {
    issues.push({ pointer: toPointer(path), message });
  };
  // A member nobody knows may say how to call it; called without it, the function would be given something else.
  const unknown = Object.keys(implementation).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) report([unknown], "is not known to this @aiw/core");
  if (implementation["compiled"] !== true) report(["compiled"], "must be true");
  checkMethod(implementation, report);
  checkParameters(implementation, inputSchema, report);
  for (const member of ["dates", "outputDates"]) checkPlaces(implementation[member], member, report);
  return issues;
}

type Report = (path: readonly (string | number)[], message: string) => void;

function isCompiled(implementation: unknown): implementation is Record<string, unknown> {
  return isRecord(implementation) && Object.hasOwn(implementation, "compiled");
}

function checkMethod({ method, static: isStatic }: Record<string, unknown>, report: Report): void {
  if (method !== undefined && (typeof method !== "string" || method === "")) report(["method"], "must name a method");
  if (isStatic === undefined) return;
  if (isStatic !== true) report(["static"], "must be true, or absent");
  else if (method === undefined) report(["static"], "needs a method");
}

function checkParameters({ parameters, rest }: Record<string, unknown>, inputSchema: unknown, report: Report): void {
  if (rest !== undefined && rest !== true) report(["rest"], "must be true, or absent");
  if (parameters === undefined) {
    if (rest === true) report(["rest"], "needs parameters");
    return;
  }
  if (!Array.isArray(parameters) || !parameters.every((name) => typeof name === "string")) {
    report(["parameters"], "must be a list of names");
    return;
  }
  if (rest === true && parameters.length === 0) report(["rest"], "needs parameters");
  checkNames(parameters, inputSchema, report);
}

/** A parameter the schema lacks never has a value; a required argument without a place never arrives. */
function checkNames(parameters: readonly string[], inputSchema: unknown, report: Report): void {
  const { properties = {}, required = [] } = isRecord(inputSchema) ? inputSchema : {};
  const known = isRecord(properties) ? properties : {};
  const seen = new Set<string>();
  for (const [index, name] of parameters.entries()) {
    if (seen.has(name)) report(["parameters", index], "is named twice");
    else if (!Object.hasOwn(known, name))
      report(["parameters", index], "is not among the properties of the input schema");
    seen.add(name);
  }
  const missing = Array.isArray(required)
    ? required.find((name) => typeof name === "string" && !seen.has(name))
    : undefined;
  if (missing !== undefined)
    report(["parameters"], `must say where ${JSON.stringify(missing)} goes, which is required`);
}

function checkPlaces(places: unknown, member: string, report: Report): void {
  if (places === undefined) return;
  if (!Array.isArray(places) || places.length > MAX_PLACES) {
    report([member], `must be a list of at most ${MAX_PLACES} JSON Pointers`);
    return;
  }
  for (const [index, place] of places.entries()) {
    const isPointer = typeof place === "string" && /^(?:\/(?:[^~]|~[01])*)?$/s.test(place);
    if (!isPointer) report([member, index], 'must be a JSON Pointer, such as "/meetings/*/start"');
  }
}
