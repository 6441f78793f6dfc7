import { describe, expect, it } from "vitest";
import { listRuledPlaces } from "./list-ruled-places.ts";

const OPTIONS = { home: "/home/ada", platform: "linux" } as const;

describe("listRuledPlaces", () => {
  it.each([
    ["secrets", ["/p/secrets", "/q/secrets"]],
    ["secrets/", ["/p/secrets", "/q/secrets"]],
    ["secrets/**", ["/p/secrets", "/q/secrets"]],
    ["./a/../keys", ["/p/keys", "/q/keys"]],
    ["../q/keys", ["/q/keys"]],
    ["{.env,keys/a}", ["/p/.env", "/q/.env", "/p/keys/a", "/q/keys/a"]],
    ["/etc/app", ["/etc/app"]],
    ["~/.netrc", ["/home/ada/.netrc"]],
    ["*.pem", []],
    ["**/keys", []],
    ["keys/*.pem", []],
    ["**", []],
    ["a[b", []],
  ])("names what %s denies in full", (pattern, denied) => {
    const { denied: found } = listRuledPlaces({ cwd: "/p", roots: ["/p", "/q"], deny: [pattern] }, OPTIONS);
    expect(found.toSorted()).toEqual(denied.toSorted());
  });

  it("names folders that are read-only, and nothing where there are no rules", () => {
    const readOnly = ["vendor", "/q", "~/lib", "vendor/"];
    expect(listRuledPlaces({ cwd: "/p", roots: ["/p"], readOnly }, OPTIONS)).toEqual({
      readOnly: ["/p/vendor", "/q", "/home/ada/lib"],
      denied: [],
    });
    expect(listRuledPlaces({ cwd: "/p", roots: ["/p"] }, OPTIONS)).toEqual({ readOnly: [], denied: [] });
  });
});
