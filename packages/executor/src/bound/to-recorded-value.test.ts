import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRecordedText, toRecordedValue } from "./to-recorded-value.ts";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

describe("toRecordedValue", () => {
  it("masks a secret wherever it is repeated: by field, by mark of the schema, and by known value", () => {
    const schema = { type: "object", properties: { pin: { type: "string", writeOnly: true } } } as const;
    const input = {
      password: "hunter2!",
      pin: "code-4711",
      command: "mysql -phunter2! --pin code-4711 --host db.internal",
      "x-known-value": "known-value",
      nested: [{ "code-4711": "hunter2!" }],
    };
    const text = JSON.stringify(toRecordedValue(input, { schema, known: ["known-value"] }));
    expect(text).not.toMatch(/hunter2!|code-4711|known-value/);
    expect(text).toContain("--host db.internal");
  });

  it("masks what looks like a secret in names of members too, and loses none of them", () => {
    const value = toRecordedValue({ [TOKEN]: 1, [`${TOKEN}b`]: 2 });
    expect(JSON.stringify(value)).not.toContain(TOKEN);
    expect(Object.values(value as object)).toEqual([1, 2]);
  });

  it("leaves paths legible and escapes what cannot be seen", () => {
    expect(toRecordedValue({ path: "/home/me/src/secret-santa/token.ts", name: "a\u202eb\u0085" })).toEqual({
      path: "/home/me/src/secret-santa/token.ts",
      name: "a\\u{202e}b\\u{85}",
    });
  });

  it("bounds what is long, media beside a value too", () => {
    for (const value of [
      { text: "x".repeat(500_000) },
      { attachments: ["y".repeat(500_000)] },
      ["\u202e".repeat(90_000)],
    ])
      expect(JSON.stringify(toRecordedValue(value)).length).toBeLessThan(140_000);
  });

  it("keeps a name of prototypes a name", () => {
    const value = toRecordedValue(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("never shows a known secret, wherever in a value it stands", () => {
    const secret = "s3cr3t-value-of-the-host";
    const around = fc.string({ maxLength: 20 });
    const text = fc.tuple(around, around).map(([before, after]) => before + secret + after);
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.array(tie("any")), fc.dictionary(text, tie("any"))),
    })).any;
    fc.assert(
      fc.property(value, (given) => {
        expect(JSON.stringify(toRecordedValue(given, { known: [secret] }))).not.toContain(secret);
      }),
    );
  });
});

describe("toRecordedText", () => {
  it("masks before it cuts, so that no half of a secret is left", () => {
    const secret = `known-${"k".repeat(200)}`;
    const text = toRecordedText(`${"a".repeat(990)}${secret}${"b".repeat(5000)}`, { known: [secret] });
    expect(text.length).toBeLessThanOrEqual(1100);
    expect(text).not.toContain("kkkk");
    const long = toRecordedText("a".repeat(1024 * 1024 - 100) + secret, { known: [secret] });
    expect(long).not.toContain("known-");
  });
});
