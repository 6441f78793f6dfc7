import { describe, expect, it } from "vitest";
import { showPart } from "./show-part.ts";

const pointer = "/plugins/acme-svc";
const SCHEMA = {
  type: "object",
  properties: {
    handle: { type: "string", writeOnly: true },
    login: { type: "object", properties: { word: { type: "string", format: "password" } } },
    tokenizer: { type: "string" },
    pairs: { type: "array", items: { type: "object", properties: { value: { writeOnly: true } } } },
  },
};

describe("showPart", () => {
  it("says of what the schema marks that it is set, and shows the rest", () => {
    const value = {
      handle: "s3cret",
      login: { user: "ada", word: "s3cret" },
      tokenizer: "words",
      pairs: [{ value: 42 }],
      token: "s3cret",
    };
    const text = showPart({ pointer, value }, SCHEMA);
    expect(text).toBe(
      `${pointer}: {"handle":"<string, 6 characters>","login":{"user":"ada","word":"<string, 6 characters>"},` +
        `"pairs":[{"value":"<number>"}],"token":"<string, 6 characters>","tokenizer":"words"}`,
    );
  });

  it.each(["token", "apiKey", "api_key", "password", "clientSecret", "SESSION_KEY"])(
    "judges by the name %s where no schema is known",
    (name) => {
      expect(showPart({ pointer, value: { [name]: "s3cret" } })).not.toContain("s3cret");
      expect(showPart({ pointer, value: { deep: [{ [name]: ["s3cret"] }] } })).not.toContain("s3cret");
    },
  );

  it("shows references, numbers and what is no option as they are", () => {
    expect(showPart({ pointer, value: { token: { $env: "TOKEN" }, maxTokens: 5 } })).toBe(
      `${pointer}: {"maxTokens":5,"token":{"$env":"TOKEN"}}`,
    );
    expect(showPart({ pointer: "/executors/secrets/acme", value: ["TOKEN"] })).toBe(
      '/executors/secrets/acme: ["TOKEN"]',
    );
  });
});
