import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "./sha256.ts";

describe("sha256Hex", () => {
  it("equals Web Crypto's SHA-256", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 300 }),
          fc.constantFrom("", "abc", "a".repeat(55), "a".repeat(56), "a".repeat(64)),
        ),
        async (text) => {
          const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
          expect(sha256Hex(text)).toBe([...digest].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
        },
      ),
    );
  });
});
