import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { describe, expect, it } from "vitest";
import { describeFlagError } from "./refuse-flags.ts";

const OPTIONS: ParseArgsOptionsConfig = {
  input: { type: "string" },
  yes: { type: "boolean", short: "y" },
  json: { type: "boolean" },
};

function describeLine(...args: string[]): string {
  try {
    parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    return describeFlagError(error, OPTIONS);
  }
  return "";
}

describe("describeFlagError", () => {
  it.each([
    [["--inptu", "x"], "There is no option --inptu. Did you mean --input?"],
    [
      ["--elsewhere"],
      "There is no option --elsewhere. Options: --input, --yes, --json. A word that begins with - comes after --.",
    ],
    [["-q"], "There is no option -q."],
    [["--json=yes"], "--json takes no value."],
    [["--yes=1"], "--yes takes no value."],
    [["--input"], "--input needs a value: --input=…"],
    [["--input", "--json"], "--input needs a value: --input=…"],
  ])("says of %j in our words what is wrong", (args, message) => {
    expect(describeLine(...args)).toContain(message);
    expect(describeLine(...args)).not.toMatch(/argument|positional/);
  });

  it("gives what it does not know as it is", () => {
    expect(describeFlagError(new TypeError("odd"), OPTIONS)).toBe("odd");
  });
});
