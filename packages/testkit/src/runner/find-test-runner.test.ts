import * as nodeTest from "node:test";
import { describe, expect, it, vi } from "vitest";
import { findTestRunner } from "./find-test-runner.ts";

describe("findTestRunner", () => {
  it("finds the vitest that runs it", async () => {
    expect(await findTestRunner()).toEqual({ describe, it });
  });

  it("takes describe and it where they are global", async () => {
    const globals = { describe: vi.fn(), it: vi.fn() };
    expect(await findTestRunner(globals)).toEqual(globals);
  });

  it("takes node:test elsewhere", async () => {
    expect((await findTestRunner({})).describe).toBe(nodeTest.describe);
  });

  it("says what to pass where vitest does not say where it is", async () => {
    await expect(findTestRunner({ __vitest_worker__: {} })).rejects.toThrow("pass runner: { describe, it }");
  });
});
