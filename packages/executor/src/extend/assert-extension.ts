import { AiwError, nearestNames } from "@aiw/core";
import { assertApprovalSettings } from "../call/approval-settings.ts";
import { toSentence } from "../call/to-sentence.ts";
import { PIPELINE_STAGES } from "../pipeline/stages.ts";
import type { ExtensionScope } from "./extension.ts";

const RESULT_STAGES: ReadonlySet<string> = new Set(["bound_input", "validate_output", "bound_result", "audit_close"]);

const STAGES: readonly string[] = PIPELINE_STAGES.map(({ name }) => name).filter((name) => !RESULT_STAGES.has(name));

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  stage: STAGES,
  priority: ["highest", "high", "normal", "low", "lowest"],
  failure: ["closed", "open"],
};

const HOOKS = [
  "beforeExecute",
  "wrap",
  "executeWithin",
  "onEvent",
  "afterExecute",
  "onError",
  "onSuspend",
  "isOffered",
  "close",
] as const;

/** Members whose names are long enough that what is nearly one is a misspelling, by what they are. */
const LONG_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  function: HOOKS.filter((hook) => hook.length > 5),
  string: ["priority", "failure"],
  object: ["approval"],
};

/** Of these only another case is one: `map` and `state` are names of their own. */
const SHORT_MEMBERS: readonly string[] = ["name", "stage", "log", ...HOOKS.filter((hook) => hook.length <= 5)];

/** Checks what code without types may pass. @throws AiwError `config_invalid` */
export function assertExtension(extension: unknown): void {
  if (typeof extension !== "object" || extension === null) throw invalid("An extension", "must be an object");
  const given = extension as { readonly [member: string]: unknown };
  const { name } = given;
  if (typeof name !== "string" || name === "") throw invalid("An extension", "must have a name");
  assertSpelling(given, name);
  for (const [member, choices] of Object.entries(CHOICES)) {
    const value = given[member];
    if (value === undefined && member !== "stage") continue;
    if (typeof value !== "string" || !choices.includes(value))
      throw invalid(`The extension ${name}`, `must have as ${member} one of ${choices.join(", ")}`);
  }
  for (const hook of HOOKS)
    if (given[hook] !== undefined && typeof given[hook] !== "function")
      throw invalid(`The extension ${name}`, `must have a function as ${hook}`);
  assertApprovalSettings(given["approval"], `The extension ${name}: approval`);
}

/** A hook that never runs must not look like one; other members of its own are the extension's affair. */
function assertSpelling(given: { readonly [member: string]: unknown }, name: string): void {
  const members = [...SHORT_MEMBERS, ...Object.values(LONG_MEMBERS).flat()];
  for (const member of membersOf(given)) {
    if (members.includes(member)) continue;
    const meant = findMeant(given, member);
    if (meant !== undefined)
      throw invalid(`The extension ${name}`, `has ${member}, which is no member of one; did you mean ${meant}?`);
  }
}

function findMeant(given: { readonly [member: string]: unknown }, member: string): string | undefined {
  const short = SHORT_MEMBERS.find((one) => one === member.toLowerCase());
  if (short !== undefined) return short;
  // A getter is read only where its name gives reason to.
  const [near] = nearestNames(member, Object.values(LONG_MEMBERS).flat());
  if (near === undefined) return undefined;
  return LONG_MEMBERS[typeof given[member]]?.includes(near) === true ? near : undefined;
}

/** Its own members and those of its classes. */
function membersOf(given: object): Set<string> {
  const members = new Set<string>();
  for (
    let one: object | null = given;
    one !== null && one !== Object.prototype;
    one = Object.getPrototypeOf(one) as object | null
  )
    for (const member of Object.getOwnPropertyNames(one)) members.add(member);
  return members;
}

/** A scope that is not understood must not become none. @throws AiwError `config_invalid` */
export function assertScope(scope: ExtensionScope, name: string): void {
  const lists = Object.entries(scope).filter(([, list]) => list !== undefined);
  const isRight = lists.every(
    ([key, list]: [string, unknown]) =>
      (key === "tools" || key === "categories") &&
      Array.isArray(list) &&
      list.every((one) => typeof one === "string" && one !== ""),
  );
  if (isRight && lists.length > 0) return;
  throw invalid(`The scope of ${name}`, "must list tools or categories, as texts");
}

function invalid(what: string, must: string): AiwError {
  return new AiwError("config_invalid", toSentence(`${what} ${must}`), {
    fix: 'Write it like { name: "quota", stage: "rate_limit", beforeExecute(call) {} }.',
  });
}
