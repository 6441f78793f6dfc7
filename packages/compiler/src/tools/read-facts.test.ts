import { describe, expect, it } from "vitest";
import { compileOne, compileSource, placesOf } from "../__fixtures__/compile-source.ts";

function metadataOf(tags: string): object {
  return compileOne(`/**\n * A.\n * ${tags}\n */\nexport function f(): void {}`).spec.metadata;
}

function faultsOf(tags: string): string[] {
  return placesOf(compileSource(`/**\n * A.\n * ${tags}\n */\nexport function f(): void {}`));
}

describe("readFacts", () => {
  it("reads category, tags, permissions, title, version, approval and time", () => {
    const tags =
      "@category files\n * @tags a, b c\n * @permissions fs:read, net\n * @version 1.2\n * @requiresApproval\n * @timeout 1.5s\n * @effects read";
    expect(metadataOf(tags)).toEqual({
      version: "1.2",
      category: "files",
      tags: ["a", "b", "c"],
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      permissions: ["fs:read", "net"],
      requiresApproval: true,
      timeoutMs: 1500,
    });
    expect(compileOne("/** A. @title Finds files @effects pure */ export function f(): void {}").spec.title).toBe(
      "Finds files",
    );
  });

  it("reads times in every unit", () => {
    const units = { "500": 500, "500ms": 500, "5s": 5000, "2 m": 120_000, "1h": 3_600_000 };
    for (const [text, timeoutMs] of Object.entries(units)) {
      expect(metadataOf(`@timeout ${text}`)).toMatchObject({ timeoutMs });
    }
  });

  it("reads effects as a word or as flags, of which those left out are unsafe", () => {
    const effects = {
      pure: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      write: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      "readOnly, idempotent": { readOnly: true, destructive: false, idempotent: true, openWorld: true },
      "destructive=false openWorld=false": { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    };
    for (const [text, flags] of Object.entries(effects))
      expect(metadataOf(`@effects ${text}`)).toMatchObject({ effects: flags });
  });

  it("reads a word with flags behind it, which change what it leaves open", () => {
    const reading = { readOnly: true, destructive: false, idempotent: true };
    const effects = {
      "read openWorld": { ...reading, openWorld: true },
      "read, openWorld": { ...reading, openWorld: true },
      "pure, openWorld=false": { ...reading, openWorld: false },
      "write, idempotent": { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      "write, destructive=false, openWorld": {
        readOnly: false,
        destructive: false,
        idempotent: false,
        openWorld: true,
      },
    };
    for (const [text, flags] of Object.entries(effects))
      expect(metadataOf(`@effects ${text}`), text).toMatchObject({ effects: flags });
  });

  it("refuses flags that contradict the word before them, or each other", () => {
    for (const text of ["read, destructive", "pure, openWorld", "write readOnly", "openWorld, openWorld=false"])
      expect(faultsOf(`@effects ${text}`), text).toEqual([expect.stringContaining("error tag_invalid")]);
    expect(faultsOf("@effects read, write")).toEqual([expect.stringContaining("error tag_invalid")]);
  });

  it("warns where effects are not said, and counts them as unsafe", () => {
    expect(faultsOf("@category a")).toEqual(["src/index.ts:5:17 warning effects_missing"]);
    expect(metadataOf("@category a")).toMatchObject({
      effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    });
  });

  it("says of a deprecated tool that it is, and what to use", () => {
    const { spec } = compileOne("/** A. @deprecated use g @effects pure */ export function f(): void {}");
    expect(spec.description).toBe("A. Deprecated: use g.");
    expect(spec.metadata.custom).toEqual({ deprecated: "use g" });
    expect(compileOne("/** A. @effects pure @deprecated */ export function f(): void {}").spec.description).toBe(
      "A. Deprecated.",
    );
  });

  it("refuses what cannot be read, at the tag", () => {
    for (const tag of [
      "@timeout soon",
      "@timeout 0",
      "@timeout 25h",
      "@effects some",
      "@effects readOnly, fast",
      "@requiresApproval sometimes",
    ]) {
      expect(faultsOf(tag)).toContain("src/index.ts:3:4 error tag_invalid");
    }
  });

  it("warns of near misses of its tags and leaves all others alone", () => {
    expect(faultsOf("@effects pure\n * @catgory a\n * @minimun 3\n * @timeuot 5s")).toEqual([
      "src/index.ts:4:4 warning tag_misspelt",
      "src/index.ts:5:4 warning tag_misspelt",
      "src/index.ts:6:4 warning tag_misspelt",
    ]);
    expect(
      faultsOf("@effects pure\n * @since 1\n * @acmeSpecial x\n * @throws {Error} never\n * @see g\n * @public"),
    ).toEqual([]);
  });
});
