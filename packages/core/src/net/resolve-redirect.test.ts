import { describe, expect, it } from "vitest";
import { parseUrl } from "./parse-url.ts";
import { headersForTarget, resolveRedirect } from "./resolve-redirect.ts";

describe("resolveRedirect", () => {
  it("resolves against the page that redirects", () => {
    expect(resolveRedirect(parseUrl("https://a.test/x/y"), "../z?q#f").url.href).toBe("https://a.test/z?q");
    expect(resolveRedirect(parseUrl("http://a.test/"), "https://b.test/").url.href).toBe("https://b.test/");
  });

  it("refuses a step from https to http", () => {
    expect(() => resolveRedirect(parseUrl("https://a.test/"), "http://a.test/")).toThrow(
      expect.objectContaining({ code: "blocked_url" }),
    );
  });
});

describe("headersForTarget", () => {
  it.each(["https://b.test/", "https://a.test:8443/", "http://a.test/"])("drops credentials on the way to %s", (to) => {
    const headers = { Authorization: "x", cookie: "y", "proxy-authorization": "z", accept: "*/*" };
    expect(headersForTarget(headers, parseUrl("https://a.test/"), parseUrl(to))).toEqual({ accept: "*/*" });
  });

  it("keeps them within the origin", () => {
    expect(
      headersForTarget({ authorization: "x" }, parseUrl("https://a.test/1"), parseUrl("https://a.test/2")),
    ).toEqual({ authorization: "x" });
  });
});
