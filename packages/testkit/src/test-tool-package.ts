import type { BuiltPackage, ContractSubject } from "./contract/contract-subject.ts";
import { toolPackageChecks } from "./contract/tool-package-checks.ts";
import { findTestRunner } from "./runner/find-test-runner.ts";
import type { TestRunner } from "./runner/test-runner.ts";

/** How the contract becomes tests. */
export interface TestToolPackageOptions {
  /** Heads the tests; `the tool contract` unless named. */
  readonly title?: string;
  /** Registers the tests; found unless given. */
  readonly runner?: TestRunner;
}

/** Milliseconds a test may take: examples, their confirmation, and the grace after a cancellation. */
const TEST_MS = 60_000;

/**
 * Registers a test for every promise of the contract with the test runner that runs now (vitest, node:test, or any with
 * `describe` and `it` as globals). Await it at the top level of a test file.
 * @throws AssertionError when the runner has to be passed.
 */
export async function testToolPackage(
  subject: (ContractSubject | BuiltPackage) & TestToolPackageOptions,
): Promise<void> {
  const { describe, it } = subject.runner ?? (await findTestRunner());
  const checks = await toolPackageChecks(subject);
  describe(subject.title ?? "the tool contract", () => {
    for (const { name, run } of checks) it(name, run, TEST_MS);
  });
}
