import { describe, expect, it } from "vitest";
import { DEFAULT_TIMEOUT_MS, MAX_DELAY_MS, resolveTimeout } from "./timeout.ts";

describe("resolveTimeout", () => {
  it("takes the operator's word for the tool, then the tool's own, then the one for every tool", () => {
    expect(resolveTimeout({ operator: 1, tool: 2, host: 3 })).toBe(1);
    expect(resolveTimeout({ tool: 2, host: 3 })).toBe(2);
    expect(resolveTimeout({ host: 3 })).toBe(3);
    expect(resolveTimeout({})).toBe(DEFAULT_TIMEOUT_MS);
  });

  it("lets a caller lower it only", () => {
    expect(resolveTimeout({ operator: 10, caller: 5 })).toBe(5);
    expect(resolveTimeout({ operator: 10, caller: 50 })).toBe(10);
  });

  it("passes over what is no time, and keeps within what timers keep", () => {
    expect(resolveTimeout({ operator: Number.NaN, tool: -1, host: 3, caller: 0 })).toBe(3);
    expect(resolveTimeout({ tool: 2 ** 40 })).toBe(MAX_DELAY_MS);
  });
});
