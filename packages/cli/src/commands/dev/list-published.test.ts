import { symlink } from "node:fs/promises";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { readAuthorPackage } from "../author/read-author-package.ts";
import { listPublished } from "./list-published.ts";

const FILES = [
  "dist/a.js",
  "dist/a.test.js",
  "dist/deep/b.js",
  "src/a.ts",
  "data/x.json",
  "main.js",
  "node_modules/x/y.js",
  ".env",
];

async function list(packageJson: object): Promise<string[]> {
  await using workspace = await temporaryWorkspace({
    "package.json": JSON.stringify({ name: "a", version: "1.0.0", ...packageJson }),
    ...Object.fromEntries(FILES.map((file) => [file, ""])),
  });
  for (const link of ["data/linked", "link.js"]) await symlink("/etc/hosts", workspace.path(link));
  return listPublished(await readAuthorPackage(workspace.cwd));
}

describe("listPublished", () => {
  it.each<[string, object, string[]]>([
    ["a folder", { files: ["dist"] }, ["dist/a.js", "dist/a.test.js", "dist/deep/b.js"]],
    ["paths as people write them", { files: ["./dist/deep/", "/main.js"] }, ["dist/deep/b.js", "main.js"]],
    ["patterns and what they leave out", { files: ["dist/**/*.js", "!**/*.test.*"] }, ["dist/a.js", "dist/deep/b.js"]],
    ["main, listed or not", { files: [], main: "./main.js" }, ["main.js"]],
    ["no list", {}, ["data/x.json", "dist/a.js", "dist/a.test.js", "dist/deep/b.js", "main.js", "src/a.ts"]],
    [
      "everything, but what is installed",
      { files: ["**/*.js"] },
      ["dist/a.js", "dist/a.test.js", "dist/deep/b.js", "main.js"],
    ],
    ["nothing outside", { files: ["../*", "../../etc", "dist/../.."], main: "../../../../etc/hosts" }, []],
    ["no links", { files: ["data", "link.js"], main: "link.js" }, ["data/x.json"]],
  ])("takes %s", async (_what, packageJson, files) => {
    expect(await list(packageJson)).toEqual(files);
  });
});
