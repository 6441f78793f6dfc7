import { isCosmeticVariable, isOwnVariable, isPowerfulVariable } from "@aiw/core/node";
import { ask, unsafe, type Finding } from "./verdict.ts";

/** What giving a variable of this shell a value may change; the value is absent when only known at run time. */
export function judgeVariable(name: string, value?: string): Finding[] {
  if (isPowerfulVariable(name, value)) return [ask("environment", `${name} decides what later commands run`)];
  if (isOwnVariable(name) || isCosmeticVariable(name)) return [];
  return [unsafe("environment", `it sets ${name}, which the shell or a program may read`)];
}
