import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseUrl } from "./parse-url.ts";

function codeOf(url: string): string {
  try {
    parseUrl(url);
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("parseUrl", () => {
  it.each([
    ["http://2130706433/", "127.0.0.1"],
    ["http://0x7f000001/", "127.0.0.1"],
    ["http://0x7f.1/", "127.0.0.1"],
    ["http://0177.0.0.1/", "127.0.0.1"],
    ["http://127.1/", "127.0.0.1"],
    ["http://127.0.0.1./", "127.0.0.1"],
    ["http://１２７.０.０.１/", "127.0.0.1"],
    ["http://127。0。0。1/", "127.0.0.1"],
    ["http://%31%32%37.0.0.1/", "127.0.0.1"],
    ["http:\\\\127.0.0.1\\x", "127.0.0.1"],
    ["http://[::1]/", "::1"],
    ["http://[0:0:0:0:0:0:0:1]/", "::1"],
    ["http://[::ffff:127.0.0.1]/", "::ffff:7f00:1"],
    ["http://LOCALHOST./", "localhost"],
    ["http://localhost/", "localhost"],
    ["https://ExAmPlE.com./a#b", "example.com"],
  ])("reads the host of %s as %s", (url, hostname) => {
    expect(parseUrl(url).hostname).toBe(hostname);
  });

  it("drops the fragment and the final dot from what will be requested", () => {
    expect(parseUrl("https://example.com./a?b#c").url.href).toBe("https://example.com/a?b");
  });

  it("knows the port that will be dialled", () => {
    expect([
      parseUrl("https://a.test/").port,
      parseUrl("http://a.test/").port,
      parseUrl("http://a.test:8080/").port,
    ]).toEqual([443, 80, 8080]);
  });

  it.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/html,x",
    "javascript:alert(1)",
    "gopher://127.0.0.1:70/",
    "ws://a.test/",
    "blob:https://a.test/x",
  ])("refuses the scheme of %s", (url) => expect(codeOf(url)).toBe("blocked_url"));

  it.each([
    "http://user@example.com/",
    "http://user:secret@example.com/",
    "http://example.com@127.0.0.1/",
    "http://:p@example.com/",
  ])("refuses the user-info of %s", (url) => expect(codeOf(url)).toBe("blocked_url"));

  it("does not repeat a password in its suggestion", () => {
    expect.assertions(1);
    try {
      parseUrl("http://user:secret@example.com/x");
    } catch (error) {
      expect(JSON.stringify(error) + String((error as { suggestion: string }).suggestion)).not.toContain("secret");
    }
  });

  it.each([0, 22, 25, 110, 143, 587, 2049, 6000, 6667, 10080])("refuses port %d", (port) => {
    expect(codeOf(`http://example.com:${port}/`)).toBe("blocked_url");
  });

  it.each([
    "http://exa\0mple.com/",
    "http://example.com/\n",
    "http://exam\tple.com/",
    "\u0001http://example.com/",
    "http://example.com/\u007f",
  ])("refuses control characters", (url) => expect(codeOf(url)).toBe("invalid_url"));

  it.each([
    "",
    "example.com",
    "//example.com/",
    "http://",
    "http://[::1",
    "http://a..b/",
    "http://./",
    "http://[fe80::1%25eth0]/",
    "http://a.test:99999/",
    `http://a.test/${"x".repeat(9000)}`,
  ])("refuses what is no absolute address", (url) => expect(codeOf(url)).toBe("invalid_url"));

  it("gives a target or one of two codes for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.webUrl(),
          fc.string().map((text) => `http://${text}`),
        ),
        (text) => {
          expect(["accepted", "invalid_url", "blocked_url"]).toContain(codeOf(text));
        },
      ),
    );
  });
});
