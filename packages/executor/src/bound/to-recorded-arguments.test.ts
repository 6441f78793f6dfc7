import type { JsonObject, ToolSpec } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRecordedArguments } from "./to-recorded-arguments.ts";
import { toRecordedValue } from "./to-recorded-value.ts";

describe("toRecordedArguments", () => {
  it("gives what copying with every mask and bound gives, whether or not there is something to mask", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "\u202e",
        "\u0007",
        "\b",
        "a\\u0007",
        "Bearer abcdefgh12345",
        "https://u:p4ssw0rd@host",
        "👩‍👩‍👧",
        "\ud800",
      ),
    );
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom("password", "API-Key", "key", "\u200b", "user_token", "__proto__"),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.constantFrom(null, true),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(
        fc.dictionary(name, value, { noNullPrototype: true }),
        fc.integer({ min: 40, max: 400 }),
        (given, characters) => {
          const recorded = toRecordedArguments({ arguments: given as JsonObject, spec: undefined }, { characters });
          expect(JSON.stringify(recorded)).toBe(JSON.stringify(toRecordedValue(given, { characters })));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("masks what a schema marks and what the host knows, however harmless it looks", () => {
    const spec = {
      inputSchema: { type: "object", properties: { pin: { type: "string", writeOnly: true } } },
    } as unknown as ToolSpec;
    const marked = toRecordedArguments({ arguments: { pin: "code 4711" }, spec });
    expect(JSON.stringify(marked)).not.toContain("4711");
    const known = toRecordedArguments({ arguments: { note: "the word is swordfish" }, spec }, { known: ["swordfish"] });
    expect(JSON.stringify(known)).not.toContain("swordfish");
  });

  it("gives a copy, and nothing for arguments that could not be read", () => {
    const given = { list: ["a"] };
    const recorded = toRecordedArguments({ arguments: given, spec: undefined }) as typeof given;
    expect(recorded).toEqual(given);
    expect(recorded.list).not.toBe(given.list);
    expect(toRecordedArguments({ arguments: undefined, spec: undefined })).toBeUndefined();
  });
});
