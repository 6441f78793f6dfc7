import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { hashPackage } from "./hash-package.ts";

const FILES = { "package.json": "{}", "index.js": "1;" };

async function hashOf(more: { readonly [file: string]: string }): Promise<string | undefined> {
  await using folder = await temporaryWorkspace({ ...FILES, ...more });
  return (await hashPackage(folder.cwd))?.hash;
}

describe("hashPackage", () => {
  it("counts what was published, and hashes it with its names", async () => {
    await using folder = await temporaryWorkspace({ ...FILES, "node_modules/other/index.js": "2;" });
    expect(await hashPackage(folder.cwd)).toMatchObject({ files: 2, bytes: 4 });
    expect(await hashOf({ "index.js": "2;" })).not.toBe(await hashOf({}));
    expect(await hashOf({ "other.js": "" })).not.toBe(await hashOf({}));
  });

  it("passes over what managers put there, and over no node_modules that was published", async () => {
    expect(await hashOf({ "node_modules/other/index.js": "2;", ".bun-tag": "x" })).toBe(await hashOf({}));
    expect(await hashOf({ "dist/node_modules/own/index.js": "2;" })).not.toBe(await hashOf({}));
  });

  it("gives nothing for a folder that is not there", async () => {
    expect(await hashPackage("/no/such/folder")).toBeUndefined();
  });
});
