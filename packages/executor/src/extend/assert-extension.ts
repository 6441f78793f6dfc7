import { AiwError } from "@aiw/core";
import { assertApprovalSettings } from "../call/approval-settings.ts";
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

/** Checks what code without types may pass. @throws AiwError `config_invalid` */
export function assertExtension(extension: unknown): void {
  if (typeof extension !== "object" || extension === null) throw invalid("An extension", "must be an object");
  const given = extension as { readonly [member: string]: unknown };
  const { name } = given;
  if (typeof name !== "string" || name === "") throw invalid("An extension", "must have a name");
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
  return new AiwError("config_invalid", `${what} ${must}.`, {
    fix: 'Write it like { name: "quota", stage: "rate_limit", beforeExecute(call) {} }.',
  });
}
