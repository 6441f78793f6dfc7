import { fail } from "node:assert/strict";
import type { TestRunner } from "./test-runner.ts";

/**
 * Finds the test runner that runs now: vitest in its workers, one that has `describe` and `it` as globals, else node:test.
 * @throws AssertionError for a vitest that does not say where it is.
 */
export async function findTestRunner(
  globals: { readonly [name: string]: unknown } = globalThis as never,
): Promise<TestRunner> {
  // Vitest lends itself to the modules of its workers here: importing it from this place could find another copy, or none.
  if (globals["__vitest_worker__"] !== undefined) return asRunner(globals["__vitest_index__"]) ?? missingVitest();
  return asRunner(globals) ?? (await nodeRunner());
}

function asRunner(value: unknown): TestRunner | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { describe, it } = value as Partial<TestRunner>;
  return typeof describe === "function" && typeof it === "function" ? { describe, it } : undefined;
}

function missingVitest(): never {
  fail(
    'This version of vitest does not say where it is. import { describe, it } from "vitest", and pass runner: { describe, it }.',
  );
}

async function nodeRunner(): Promise<TestRunner> {
  const { describe, it } = await import("node:test");
  return {
    describe,
    it: (name, run, timeout) => it(name, timeout === undefined ? {} : { timeout }, run),
  };
}
