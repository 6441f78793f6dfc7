import { describe, expect, it } from "vitest";
import { CacheScope } from "./cache-scope.ts";

describe.runIf(process.platform !== "win32")("CacheScope", () => {
  const scope = new CacheScope("/w/node_modules/shop");

  it.each([
    "/w/node_modules/shop/node_modules/a/package.json",
    "/w/node_modules/shop/node_modules/@s/a/package.json",
    "/w/node_modules/shop/node_modules/.pnpm/a@1/node_modules/a",
    "/w/node_modules/a/package.json",
    "/node_modules/a/b.json",
  ])("covers %s", (file) => {
    expect(scope.covers(file)).toBe(true);
    expect(scope.admits(file)).toBe(true);
  });

  it.each([
    "/w/node_modules/shop",
    "/w/node_modules/shop/package.json",
    "/w/node_modules/shop/src/a.json",
    "/w/node_modules/shop/node_modules",
    "/w/node_modules/shop/node_modules/",
    "/w/node_modules/shop/node_modules/.cache/aiw/discovery.json",
    "/w/node_modules/shop/node_modules/@s",
    "/w/node_modules/shop/node_modules/@s/",
    "/w/node_modules/shop/node_modules/@/a",
    "/w/lib/package.json",
    "/w/not_node_modules/a/package.json",
    "",
  ])("does not cover %j", (file) => {
    expect(scope.covers(file)).toBe(false);
    expect(scope.admits(file)).toBe(false);
  });

  it.each([
    "node_modules/a",
    "/x/node_modules/a/..",
    "/x/node_modules/a/../../../etc",
    "/x/./node_modules/a",
    "/x//node_modules/a",
  ])("does not admit %s", (place) => {
    expect(scope.admits(place)).toBe(false);
  });

  it("covers what lies under a project at the root", () => {
    const root = new CacheScope("/");
    expect(root.covers("/node_modules/a/package.json")).toBe(true);
    expect(root.covers("/package.json")).toBe(false);
  });
});
