import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { readArchiveHash } from "./compare-archives.ts";

const YARN = `"fx-a@npm:^1.0.0, fx-a@npm:latest":
  version: 1.0.0
  resolution: "fx-a@npm:1.0.0"
  dependencies:
    fx-b: "npm:^1.0.0"
  checksum: 10c0/aaaa
  languageName: node

"fx-b@npm:^1.0.0":
  version: 1.0.0
  resolution: "fx-b@npm:1.0.0"
  languageName: node
`;

describe("readArchiveHash", () => {
  it("finds the hash of one version, and never that of the next package", async () => {
    await using folder = await temporaryWorkspace({ "yarn.lock": YARN.replaceAll("\n", "\r\n") });
    expect(await readArchiveHash(folder.cwd, { name: "fx-a", version: "1.0.0" })).toBe("10c0/aaaa");
    expect(await readArchiveHash(folder.cwd, { name: "fx-a", version: "1.0.1" })).toBeUndefined();
    expect(await readArchiveHash(folder.cwd, { name: "fx-b", version: "1.0.0" })).toBeUndefined();
  });

  it("reads pnpm's", async () => {
    const text = "packages:\n\n  '@fx/a@1.0.0':\n    resolution: {integrity: sha512-abc==, tarball: x}\n";
    await using folder = await temporaryWorkspace({ "pnpm-lock.yaml": text });
    expect(await readArchiveHash(folder.cwd, { name: "@fx/a", version: "1.0.0" })).toBe("sha512-abc==");
  });
});
