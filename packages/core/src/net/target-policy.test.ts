import { describe, expect, it } from "vitest";
import { parseUrl } from "./parse-url.ts";
import { createTargetPolicy, type TargetRules } from "./target-policy.ts";

function codeOf(url: string, rules: Partial<TargetRules> = {}): string {
  try {
    createTargetPolicy({ allowPrivate: [], setting: "the list allow_private", ...rules }).assertTarget(parseUrl(url));
    return "passes";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("createTargetPolicy", () => {
  it.each(["http://127.0.0.1/", "http://[::1]/", "http://10.0.0.1/", "http://localhost/", "http://x.internal/"])(
    "refuses %s before any lookup",
    (url) => expect(codeOf(url)).toBe("blocked_address"),
  );

  it.each(["http://1.1.1.1/", "http://example.com/", "http://notlocalhost/", "http://internal.example/"])(
    "lets %s pass",
    (url) => {
      expect(codeOf(url)).toBe("passes");
    },
  );

  it("lets an operator allow a name, an address, or one port of it", () => {
    expect(codeOf("http://localhost:3000/", { allowPrivate: ["localhost:3000"] })).toBe("passes");
    expect(codeOf("http://localhost:3001/", { allowPrivate: ["localhost:3000"] })).toBe("blocked_address");
    expect(codeOf("http://[::1]:8080/", { allowPrivate: ["[::1]:8080"] })).toBe("passes");
    expect(codeOf("http://[::ffff:127.0.0.1]/", { allowPrivate: ["127.0.0.1"] })).toBe("blocked_address");
  });

  it("reaches only listed hosts, and none when the list is empty", () => {
    expect(codeOf("http://a.test/", { allowedHosts: ["a.test"] })).toBe("passes");
    expect(codeOf("http://b.test/", { allowedHosts: ["a.test"] })).toBe("blocked_url");
    expect(codeOf("http://a.test/", { allowedHosts: [] })).toBe("blocked_url");
  });

  it.each(["allowPrivate", "allowedHosts", "blockedHosts"])("refuses a host in %s that nobody can read", (list) => {
    expect(codeOf("http://a.test/", { [list]: ["http://a.test"] })).toBe("config_invalid");
  });

  it("names the entry that would allow a target", () => {
    const policy = createTargetPolicy({ allowPrivate: [], setting: "the list allow_private" });
    expect(() => policy.assertTarget(parseUrl("http://[::1]:8080/"))).toThrow(
      expect.objectContaining({ suggestion: expect.stringContaining('"[::1]:8080"') }),
    );
  });

  it.each([
    "http://169.254.169.254/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://metadata.google.internal/",
    "http://metadata/",
  ])("names no entry for the metadata service at %s", (url) => {
    const policy = createTargetPolicy({ allowPrivate: [], setting: "the list allow_private" });
    const problem = catchError(() => policy.assertTarget(parseUrl(url)));
    expect(problem).toMatchObject({ code: "blocked_address", message: expect.stringContaining("metadata service") });
    expect(JSON.stringify([problem.message, problem.suggestion])).not.toMatch(/allow_private|operator/);
  });

  it("lets only an address of its own allow a metadata service, never a name", () => {
    const literal = { allowPrivate: ["169.254.169.254"] };
    expect(codeOf("http://169.254.169.254/", literal)).toBe("passes");
    expect(codeOf("http://[::ffff:169.254.169.254]/", literal)).toBe("blocked_address");
    const policy = createTargetPolicy({
      allowPrivate: ["wiki.test", "*.internal"],
      setting: "the list allow_private",
    });
    for (const host of ["wiki.test", "metadata.google.internal"])
      expect(() => policy.assertAddress(parseUrl(`http://${host}/`), "169.254.169.254")).toThrow();
    for (const address of ["169.254.169.254", "::ffff:169.254.169.254", "2002:a9fe:a9fe::", "fe80::1%eth0"]) {
      const problem = catchError(() => policy.assertAddress(parseUrl("http://wiki.test/"), address));
      expect(problem).toMatchObject({ code: "blocked_address" });
      expect(JSON.stringify(problem.suggestion ?? "")).not.toContain("allow_private");
    }
  });
});

function catchError(action: () => void): { code: string; message: string; suggestion?: string } {
  try {
    action();
  } catch (error) {
    return error as { code: string; message: string; suggestion?: string };
  }
  throw new Error("nothing was thrown");
}
