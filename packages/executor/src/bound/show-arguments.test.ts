import type { JsonSchema } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { maskSecrets, maskText } from "./mask-secrets.ts";
import { restoreUntouched, toEventArguments, toShownArguments } from "./show-arguments.ts";

describe("maskSecrets", () => {
  it("masks fields by name and by schema, texts alone", () => {
    const schema = {
      type: "object",
      properties: { pin: { type: "string", writeOnly: true }, word: { type: "string", format: "password" } },
    };
    expect(
      maskSecrets(
        {
          password: "p",
          apiKey: "k",
          access_token: "t",
          pin: "1234",
          word: "w",
          max_tokens: 5,
          user: "u",
          headers: { Authorization: "x", Accept: "y" },
        },
        schema,
      ),
    ).toEqual({
      password: "[secret, 1 characters]",
      apiKey: "[secret, 1 characters]",
      access_token: "[secret, 1 characters]",
      pin: "[secret, 4 characters]",
      word: "[secret, 1 characters]",
      max_tokens: 5,
      user: "u",
      headers: { Authorization: "[secret, 1 characters]", Accept: "y" },
    });
  });

  it("finds what a schema marks inside unions, references, lists and records", () => {
    const pin = z.string().meta({ writeOnly: true });
    const schema = z.toJSONSchema(
      z.object({
        maybe: z.object({ pin }).nullable(),
        either: z.union([z.object({ pin }), z.string()]),
        many: z.record(z.string(), pin),
        pair: z.tuple([z.string(), pin]),
        whole: z.object({ a: z.string() }).meta({ writeOnly: true }),
      }),
      { io: "input" },
    ) as JsonSchema;
    const secret = "4711";
    const masked = maskSecrets(
      {
        maybe: { pin: secret },
        either: { pin: secret },
        many: { x: secret },
        pair: ["seen", secret],
        whole: { a: secret },
      },
      schema,
    );
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked).toMatchObject({ pair: ["seen", expect.stringContaining("secret")] });
  });

  it.each([
    ["curl -H 'Authorization: Bearer abcdef123456'", "curl -H 'Authorization: Bearer [secret]'"],
    ["https://ada:hunter2@example.com/x", "https://ada:[secret]@example.com/x"],
    ["deploy --password=hunter2 --dir=/srv", "deploy --password=[secret] --dir=/srv"],
    ["export K=sk-abcdefghijklmnopqrstuvwx", "export K=[secret]"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[secret]"],
    ["x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh y", "x [secret] y"],
    ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest", "[secret private key]\nrest"],
  ])("masks the secret in %j", (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it.each([
    "/home/me/secret/token/password.txt",
    "/srv/sk-abcdefghijklmnopqrstuvwx/file.ts",
    "src/tasks/task-abcdefghijklmnopqrstuvwxyz.ts",
    "https://example.com:8080/a?b=c",
    "C:\\Users\\me\\AppData\\Local\\Temp",
    "a basic example of x=1",
  ])("leaves %j legible", (text) => {
    expect(maskText(text)).toBe(text);
  });

  it("answers in time for texts made to be slow", () => {
    for (const part of ["eyJ", "sk-", "-----BEGIN PRIVATE KEY-----", "://a:", "password=", "Bearer "]) {
      expect(maskText(part.repeat(50_000)).length).toBeGreaterThan(0);
    }
  }, 10_000);
});

describe("toShownArguments", () => {
  it("escapes what is hidden in names and values, and cuts nothing", () => {
    const long = "x".repeat(200_000);
    expect(toShownArguments({ "a\u200B": ["\u202Eb", { c: long }] })).toEqual({
      "a\\u{200b}": ["\\u{202e}b", { c: long }],
    });
  });
});

describe("toShownArguments of names that look alike", () => {
  it("shows both", () => {
    const input = { "x\u200B": "rm -rf /", "x\\u{200b}": "safe" };
    const shown = toShownArguments(input);
    expect(Object.values(shown).toSorted()).toEqual(["rm -rf /", "safe"]);
    expect(restoreUntouched(structuredClone(shown), shown, input)).toEqual(input);
  });
});

describe("toEventArguments", () => {
  it("stays within 64 KiB of text", () => {
    const shown = toEventArguments({ a: "x".repeat(500_000), b: ["y".repeat(500_000)] });
    expect(JSON.stringify(shown).length).toBeLessThan(66_000);
  });

  it("gives a copy", () => {
    const input = { a: { b: [1] } };
    const shown = toEventArguments(input) as typeof input;
    shown.a.b.push(2);
    expect(input).toEqual({ a: { b: [1] } });
  });
});

describe("restoreUntouched", () => {
  it("gives the original for whatever comes back as it was shown", () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom("a\u200Bb", "Bearer abcdefghijkl", "x\u202E"));
    const inputs = fc.dictionary(
      fc.constantFrom("a", "token", "b\u200B"),
      fc.oneof(texts, fc.array(texts, { maxLength: 3 }), fc.dictionary(fc.constantFrom("c", "password"), texts)),
    );
    fc.assert(
      fc.property(inputs, (given) => {
        const input = structuredClone(given);
        const shown = toShownArguments(input);
        expect(restoreUntouched(structuredClone(shown), shown, input)).toEqual(input);
      }),
    );
  });

  it("finds the items that were left in a list, and runs no secret for another", () => {
    const input = {
      headers: ["Accept: x", "Bearer abcdefghijkl", "Basic abcdefghijkl"],
      token: ["aaaaaaaa", "bbbbbbbb"],
    };
    const shown = toShownArguments(input);
    const kept = (shown["headers"] as string[]).slice(1);
    expect(restoreUntouched({ headers: kept }, shown, input)).toEqual({ headers: input.headers.slice(1) });
    const ambiguous = { token: (shown["token"] as string[]).slice(1) };
    expect(() => restoreUntouched(ambiguous, shown, input)).toThrow("masked secret");
  });

  it("refuses a mask inside of changed text, unless it was written so", () => {
    const input = { command: "curl -H 'Authorization: Bearer abcdefghijkl' a" };
    const shown = toShownArguments(input);
    const edited = { command: `${String(shown["command"])} -v` };
    expect(() => restoreUntouched(edited, shown, input)).toThrow("masked secret");
    const literal = { command: "echo [secret]" };
    expect(restoreUntouched({ command: "echo [secret] b" }, literal, literal)).toEqual({ command: "echo [secret] b" });
  });

  it("keeps what was changed, added and left out", () => {
    const input = { path: "a\u200B", token: "t", list: ["x\u200B", "y"] };
    const shown = toShownArguments(input);
    const edited = { path: "b", list: [shown["list"] instanceof Array ? shown["list"][0] : "", "z"], extra: "e" };
    expect(restoreUntouched(edited, shown, input)).toEqual({ path: "b", list: ["x\u200B", "z"], extra: "e" });
  });
});
