import { describe, expect, it } from "vitest";
import { matchesHost, parseHostPattern } from "./host-pattern.ts";

function matches(pattern: string, hostname: string, port = 443): boolean {
  const parsed = parseHostPattern(pattern);
  return parsed !== undefined && matchesHost(parsed, hostname, port);
}

describe("matchesHost", () => {
  it("compares whole labels", () => {
    expect(matches("example.com", "example.com")).toBe(true);
    expect(matches("*.example.com", "a.example.com")).toBe(true);
    expect(matches("*.example.com", "a.b.example.com")).toBe(true);
  });

  it.each([
    ["example.com", "notexample.com"],
    ["example.com", "example.com.evil.test"],
    ["example.com", "a.example.com"],
    ["*.example.com", "example.com"],
    ["*.example.com", "notexample.com"],
    ["*.example.com", "aexample.com"],
    ["*.example.com", "a.example.com.evil.test"],
    ["*.0.0.1", "127.0.0.1"],
  ])("does not let %s match %s", (pattern, hostname) => {
    expect(matches(pattern, hostname)).toBe(false);
  });

  it("compares the port when there is one", () => {
    expect(matches("127.0.0.1:8080", "127.0.0.1", 8080)).toBe(true);
    expect(matches("127.0.0.1:8080", "127.0.0.1", 8081)).toBe(false);
    expect(matches("127.0.0.1:80", "127.0.0.1", 443)).toBe(false);
  });
});

describe("parseHostPattern", () => {
  it.each([
    ["EXAMPLE.com.", "example.com"],
    ["[::1]:8080", "::1"],
    ["::1", "::1"],
    ["0x7f.1", "127.0.0.1"],
  ])("reads %s as %s", (text, hostname) => {
    expect(parseHostPattern(text)?.hostname).toBe(hostname);
  });

  it.each([
    "",
    "*",
    "*.",
    "a b",
    "http://a.test",
    "a.test/x",
    "u@a.test",
    "a.test:0",
    "a.test:99999",
    "a..b",
    "*.1.2.3.4",
    "a*.test:x",
  ])("refuses %j", (text) => {
    expect(parseHostPattern(text)).toBeUndefined();
  });
});
