import { describe, expect, it } from "vitest";
import { AiwError } from "../errors/aiw-error.ts";
import { assertKnownOptions } from "./assert-known-options.ts";

function refusalOf(options: unknown): AiwError {
  try {
    assertKnownOptions("Boiling", options, ["minutes", "salt"]);
  } catch (error) {
    if (AiwError.is(error)) return error;
  }
  throw new TypeError("It was not refused.");
}

describe("assertKnownOptions", () => {
  it("passes what is known, said or not", () => {
    expect(() => assertKnownOptions("Boiling", {}, ["minutes"])).not.toThrow();
    expect(() => assertKnownOptions("Boiling", { minutes: undefined }, new Set(["minutes"]))).not.toThrow();
  });

  it("names what is not known, whose it would be, and the nearest", () => {
    const { code, message, fix } = refusalOf({ salt: true, minuts: 5 });
    expect([code, message, fix]).toEqual([
      "config_invalid",
      'Boiling has no option "minuts".',
      "Did you mean minutes?",
    ]);
  });

  it("names all where none is near", () => {
    expect(refusalOf({ temperature: 100 }).fix).toBe("Options: minutes, salt.");
    expect(refusalOf(JSON.parse('{ "__proto__": {} }')).fix).toBe("Options: minutes, salt.");
  });

  it.each([null, "salt", ["salt"], 5])("takes %j for no options", (options) => {
    expect(refusalOf(options)).toMatchObject({ code: "config_invalid" });
  });
});
