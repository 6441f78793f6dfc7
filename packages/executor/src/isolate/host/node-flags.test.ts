import { describe, expect, it } from "vitest";
import { toNodeFlags } from "./node-flags.ts";

const LIMITS = { readable: ["/code"], writable: ["/tmp"], isGranted: false, memoryMb: 64 };

describe("toNodeFlags", () => {
  it("allows what is listed, and neither processes nor threads nor native code", () => {
    const flags = toNodeFlags(LIMITS, []);
    expect(flags).toEqual(
      expect.arrayContaining([
        "--max-old-space-size=64",
        "--permission",
        "--allow-fs-read=/code",
        "--allow-fs-write=/tmp",
      ]),
    );
    expect(flags.join(" ")).not.toMatch(/allow-(?:child|worker|addons|wasi|net|inspector)/u);
  });

  it("names only flags that this Node knows", () => {
    const unknown = toNodeFlags(LIMITS, [])
      .map((flag) => flag.split("=")[0] ?? "")
      .filter((flag) => !process.allowedNodeEnvironmentFlags.has(flag));
    expect(unknown).toEqual([]);
  });

  it("has no permissions for a process that was granted anything", () => {
    expect(toNodeFlags({ ...LIMITS, isGranted: true }, []).join(" ")).not.toMatch(/permission|allow-/u);
  });

  it("inherits how modules are found, and nothing else", () => {
    const inherited = ["--inspect", "-C", "one", "--conditions=two", "--import", "./hook.js"];
    expect(toNodeFlags(LIMITS, inherited).filter((flag) => flag.includes("conditions"))).toEqual([
      "--conditions=one",
      "--conditions=two",
    ]);
    expect(toNodeFlags(LIMITS, inherited).join(" ")).not.toMatch(/inspect|hook/u);
  });
});
