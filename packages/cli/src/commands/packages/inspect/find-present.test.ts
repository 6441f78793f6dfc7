import * as path from "node:path";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { openPresence } from "./find-present.ts";

function makeTree(files: { readonly [name: string]: string }): Promise<TemporaryWorkspace> {
  return temporaryWorkspace(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`node_modules/${name}`, text])),
  );
}

async function ask(cwd: string, [name, version]: readonly [string, string], isPnp = false): Promise<unknown> {
  const isPresent = await openPresence({ folders: [cwd], roots: [cwd], isPnp });
  return isPresent(name, version);
}

describe("openPresence", () => {
  it.each([
    ["pnpm", ".pnpm/@acme+x@1.0.0_zod@4.0.0/node_modules/@acme/x/package.json"],
    ["bun", ".bun/@acme+x@1.0.0+a1b2/node_modules/@acme/x/package.json"],
    ["Yarn", ".store/@acme-x-npm-1.0.0-a1b2/package/package.json"],
  ])("finds in the store of %s what is there through another dependency", async (_manager, file) => {
    await using tree = await makeTree({ [file]: "{}" });
    expect(await ask(tree.cwd, ["@acme/x", "1.0.0"])).toBe(true);
    expect(await ask(tree.cwd, ["@acme/x", "1.0.1"])).toBe(false);
    expect(await ask(tree.cwd, ["@acme/x", "1.0"])).toBe(false);
    expect(await ask(tree.cwd, ["x", "1.0.0"])).toBe(false);
  });

  it("finds what Node would find, of this version", async () => {
    await using tree = await makeTree({ "x/package.json": '{"name":"x","version":"1.0.0"}' });
    expect(await ask(tree.cwd, ["x", "1.0.0"])).toBe(true);
    expect(await ask(tree.cwd, ["x", "2.0.0"])).toBe(false);
  });

  it.each([
    ['{\n  "virtualStoreDir": "../../.store/links"\n}', undefined],
    ["virtualStoreDir: /somewhere/links\n", undefined],
    ['{\n  "virtualStoreDir": ".pnpm"\n}', false],
    ["virtualStoreDir: .pnpm\n", false],
  ])("claims nothing of what it cannot see: %j", async (text, known) => {
    await using tree = await makeTree({ ".modules.yaml": text });
    expect(await ask(tree.cwd, ["x", "1.0.0"])).toBe(known);
  });

  it("knows nothing under Plug'n'Play", async () => {
    await using tree = await temporaryWorkspace({ [path.join("a", "b")]: "" });
    expect(await ask(tree.cwd, ["x", "1.0.0"], true)).toBeUndefined();
  });
});
