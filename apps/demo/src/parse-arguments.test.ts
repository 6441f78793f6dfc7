import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWebUrl, parseArguments, USAGE } from "./parse-arguments.ts";

describe("parseArguments", () => {
  it("reads every flag, in both spellings", () => {
    const options = { prompt: "list .", cwd: "..", model: "m", baseUrl: "http://127.0.0.1:1/v1" };
    const spaced = ["--prompt", "list .", "--cwd", "..", "--model", "m", "--base-url", "http://127.0.0.1:1/v1"];
    expect(parseArguments(spaced)).toEqual({ kind: "run", options });
    expect(parseArguments(["--prompt=list .", "--cwd=..", "--model=m", "--base-url=http://127.0.0.1:1/v1"])).toEqual({
      kind: "run",
      options,
    });
  });

  it("runs the default task without flags, and drops the separator of package managers", () => {
    expect(parseArguments([])).toEqual({ kind: "run", options: {} });
    expect(parseArguments(["--", "--prompt", "x"])).toEqual({ kind: "run", options: { prompt: "x" } });
  });

  it("helps whatever else is asked", () => {
    expect(parseArguments(["--help"])).toEqual({ kind: "help" });
    expect(parseArguments(["-h", "--prompt", "x"])).toEqual({ kind: "help" });
  });

  it.each([
    [["--nope"], "--nope"],
    [["prompt without a flag"], "prompt without a flag"],
    [["--prompt"], "--prompt"],
    [["--prompt", "  "], "--prompt needs a value."],
    [["--cwd="], "--cwd needs a value."],
    [["--base-url", "ftp://host"], "--base-url must be an http or https URL"],
    [["--base-url", "localhost"], "--base-url must be an http or https URL"],
  ])("refuses %j and says why", (argv, problem) => {
    const line = parseArguments(argv);
    expect(line.kind).toBe("wrong");
    expect(line).toHaveProperty("problem", expect.stringContaining(problem));
  });

  it("never throws", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("--prompt", "--cwd", "--model", "--base-url", "--help", "--", "-x"),
    );
    fc.assert(fc.property(fc.array(word), (argv) => ["run", "help", "wrong"].includes(parseArguments(argv).kind)));
  });

  it("is told in full by the usage", () => {
    for (const flag of ["--prompt", "--cwd", "--model", "--base-url", "--help"]) expect(USAGE).toContain(`  ${flag}`);
  });
});

describe("isWebUrl", () => {
  it("admits http and https alone", () => {
    expect(["http://a", "https://a/v1", "file:///a", "a", ""].map(isWebUrl)).toEqual([true, true, false, false, false]);
  });
});
