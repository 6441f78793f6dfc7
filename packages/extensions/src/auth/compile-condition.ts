import path from "node:path";
import { matchGlob, toCanonicalJson, type AuthCondition } from "@aiw/core";

/** Tells whether the value of one parameter meets a condition; `cwd` is the folder tools work in. */
export type ValueTest = (value: unknown, cwd: string | undefined) => boolean;

/**
 * Prepares a condition. An allowance is for what is understood for certain: each element of a list, and no path that
 * somebody may expand; what is asked for or denied is so for any element.
 */
export function compileCondition(condition: AuthCondition, isAllowance: boolean): ValueTest {
  const { equals, oneOf, ...ofElements } = condition;
  const whole = [
    ...(equals === undefined ? [] : [toChoice([equals])]),
    ...(oneOf === undefined ? [] : [toChoice(oneOf)]),
  ];
  const single = toElementTests(ofElements, isAllowance);
  return (value, cwd) => {
    if (!whole.every((test) => test(value))) return false;
    if (single.length === 0) return true;
    const fits = (element: unknown): boolean => single.every((test) => test(element, cwd));
    if (!Array.isArray(value)) return fits(value);
    return isAllowance ? value.length > 0 && value.every(fits) : value.some(fits);
  };
}

function toChoice(choices: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set(choices.map((choice) => toCanonicalJson(choice)));
  return (value) => {
    try {
      return texts.has(toCanonicalJson(value));
    } catch {
      // What is no JSON equals no JSON value.
      return false;
    }
  };
}

function toElementTests({ glob, atLeast, atMost, within }: AuthCondition, isAllowance: boolean): ValueTest[] {
  return [
    ...(glob === undefined ? [] : [(value: unknown) => typeof value === "string" && matchGlob(glob, value)]),
    ...(atLeast === undefined ? [] : [(value: unknown) => typeof value === "number" && value >= atLeast]),
    ...(atMost === undefined ? [] : [(value: unknown) => typeof value === "number" && value <= atMost]),
    ...(within === undefined ? [] : [toPathTest(within, isAllowance)]),
  ];
}

/** Where relative paths start when tools are given no folder: nothing else lies there. */
const NOWHERE = path.resolve(path.sep, "\0");

function toPathTest(folder: string, isAllowance: boolean): ValueTest {
  return (value, cwd = NOWHERE) => {
    if (typeof value !== "string" || (isAllowance && isExpandable(value))) return false;
    const below = path.relative(path.resolve(cwd, folder), path.resolve(cwd, value));
    return below !== ".." && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
  };
}

/** A home folder, an address or a cut text may become another path in the hands of a tool; a drive letter does not. */
function isExpandable(value: string): boolean {
  return /^~|\0|^[a-z][a-z0-9+.-]+:/iu.test(value);
}
