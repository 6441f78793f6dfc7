import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const NOW = Date.parse("Fri, 20 Nov 2026 10:00:00 GMT");

describe("parseRetryAfter", () => {
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Fri, 20 Nov 2026 10:00:30 GMT", 30_000],
    ["Fri, 20 Nov 2026 09:00:00 GMT", 0],
    ["9999999999", 86_400_000],
    ["9".repeat(1000), 86_400_000],
    ["Fri, 20 Nov 2099 09:00:00 GMT", 86_400_000],
  ])("reads %s", (header, milliseconds) => {
    expect(parseRetryAfter(header, NOW)).toBe(milliseconds);
  });

  it.each([undefined, "", "soon", "-5", "1.5", "1e3", "2026-11-20", "Fri, nonsense and more"])(
    "makes nothing of %j",
    (header) => {
      expect(parseRetryAfter(header, NOW)).toBeUndefined();
    },
  );
});
