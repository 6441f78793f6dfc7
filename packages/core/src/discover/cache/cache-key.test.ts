import { describe, expect, it } from "vitest";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { computeCacheKey, type CacheKeyParts } from "./cache-key.ts";

interface Identity {
  readonly size?: bigint;
  readonly mtimeNs?: bigint;
  readonly ino?: bigint;
}

function disk(files: Readonly<Record<string, Identity>>): Pick<DiscoveryFileSystem, "statSync"> {
  const statSync = (file: string): unknown => {
    const identity = files[file.replaceAll("\\", "/")];
    return identity && { size: 1n, mtimeNs: 1_763_000_000_123_456_789n, ino: 1n, ...identity };
  };
  return { statSync } as unknown as Pick<DiscoveryFileSystem, "statSync">;
}

const FILES = { "/w/p/package.json": {}, "/w/node_modules/.modules.yaml": {} };

const PARTS: CacheKeyParts = {
  projectDir: "/w/p",
  production: false,
  config: { tools: { disabled: ["a"] } },
  environment: { AIWHISPERER_PLUGINS: "a", HOME: "/home/a" },
  fs: disk(FILES),
  running: { core: "1.0.0", node: "26.1.0" },
};

const KEY = computeCacheKey(PARTS);

describe("computeCacheKey", () => {
  it.each<[string, Partial<CacheKeyParts>]>([
    ["the project", { projectDir: "/w/q", fs: disk({ ...FILES, "/w/q/package.json": {} }) }],
    ["production", { production: true }],
    ["configuration", { config: { tools: { disabled: ["b"] } } }],
    ["a setting of the environment", { environment: { AIWHISPERER_PLUGINS: "b" } }],
    ["an empty setting", { environment: { AIWHISPERER_PLUGINS: "a", AIWHISPERER_PLUGINS_DIR: "" } }],
    ["core", { running: { core: "1.0.1", node: "26.1.0" } }],
    ["an unknown core", { running: { core: undefined, node: "26.1.0" } }],
    ["the major of Node", { running: { core: "1.0.0", node: "22.19.0" } }],
    ["the size of package.json", { fs: disk({ ...FILES, "/w/p/package.json": { size: 2n } }) }],
    [
      "a nanosecond of package.json",
      { fs: disk({ ...FILES, "/w/p/package.json": { mtimeNs: 1_763_000_000_123_456_790n } }) },
    ],
    [
      "a nanosecond of the state file",
      { fs: disk({ ...FILES, "/w/node_modules/.modules.yaml": { mtimeNs: 1_763_000_000_123_456_790n } }) },
    ],
    ["the inode of the state file", { fs: disk({ ...FILES, "/w/node_modules/.modules.yaml": { ino: 2n } }) }],
    ["a state file nearer by", { fs: disk({ ...FILES, "/w/p/node_modules/.package-lock.json": {} }) }],
    ["a state file farther away", { fs: disk({ ...FILES, "/.pnp.cjs": {} }) }],
  ])("is another for %s", (_what, change) => {
    expect(computeCacheKey({ ...PARTS, ...change })).not.toBe(KEY);
    expect(computeCacheKey({ ...PARTS, ...change })).toMatch(/^[\w-]{43}$/);
  });

  it.each<[string, Partial<CacheKeyParts>]>([
    ["the rest of the environment", { environment: { AIWHISPERER_PLUGINS: "a", HOME: "/home/b" } }],
    ["a later Node of the same major", { running: { core: "1.0.0", node: "26.9.9" } }],
    ["an undefined setting", { environment: { AIWHISPERER_PLUGINS: "a", AIWHISPERER_X: undefined } }],
  ])("is the same for %s", (_what, change) => {
    expect(computeCacheKey({ ...PARTS, ...change })).toBe(KEY);
  });

  it("does not exist without a state file, or on a disk that does not answer", () => {
    expect(computeCacheKey({ ...PARTS, fs: disk({ "/w/p/package.json": {} }) })).toBeUndefined();
    const statSync = (): never => {
      throw new Error("EACCES");
    };
    const fs = { statSync } as unknown as Pick<DiscoveryFileSystem, "statSync">;
    expect(computeCacheKey({ ...PARTS, fs })).toBeUndefined();
  });
});
