import { describe, expect, it } from "vitest";
import { parseUrl } from "./parse-url.ts";
import { createTargetPolicy, type TargetRules } from "./target-policy.ts";

function codeOf(url: string, rules: Partial<TargetRules> = {}): string {
  try {
    createTargetPolicy({ allow_private: [], allowed_hosts: [], blocked_hosts: [], ...rules }).assertTarget(
      parseUrl(url),
    );
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
    expect(codeOf("http://localhost:3000/", { allow_private: ["localhost:3000"] })).toBe("passes");
    expect(codeOf("http://localhost:3001/", { allow_private: ["localhost:3000"] })).toBe("blocked_address");
    expect(codeOf("http://[::1]:8080/", { allow_private: ["[::1]:8080"] })).toBe("passes");
    expect(codeOf("http://[::ffff:127.0.0.1]/", { allow_private: ["127.0.0.1"] })).toBe("blocked_address");
  });

  it("names the entry that would allow a target", () => {
    const policy = createTargetPolicy({ allow_private: [], allowed_hosts: [], blocked_hosts: [] });
    expect(() => policy.assertTarget(parseUrl("http://[::1]:8080/"))).toThrow(
      expect.objectContaining({ suggestion: expect.stringContaining('"[::1]:8080"') }),
    );
  });
});
