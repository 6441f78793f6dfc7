import { createHash } from "node:crypto";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEntry, ToolRegistry, type ToolSpec } from "@aiw/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { UnifiedToolExecutor } from "../unified-tool-executor.ts";
import { DEFAULT_GRANT } from "./__fixtures__/open-behaving.ts";
import { isolatePackages } from "./isolate-packages.ts";

const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const SPEC: ToolSpec = {
  name: "say",
  type: "function",
  description: "Says a word.",
  inputSchema: { type: "object" },
  metadata: { tags: [], permissions: [], effects },
};

const FILES = {
  "index.mjs": `import { word } from "./word.mjs"; export const say = () => word;`,
  "word.mjs": `export const word = "hello";`,
};

/** Opens an isolated package that is pinned, and lets it be changed before its process loads it. */
async function open(): Promise<{ readonly executor: UnifiedToolExecutor; readonly directory: string }> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "aiw-pinned-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(FILES)) await writeFile(path.join(directory, file), text);
  const files: Record<string, string> = {};
  for (const file of Object.keys(FILES))
    files[file] = `sha256-${createHash("sha256")
      .update(await readFile(path.join(directory, file)))
      .digest("base64")}`;
  const entry = createEntry({
    id: "@acme/pinned/say",
    name: "say",
    origin: { source: "package", package: "@acme/pinned" },
    spec: SPEC,
    options: {},
    resolveCode: async () => ({
      packageKey: "@acme/pinned",
      directory,
      realDirectory: directory,
      module: "index.mjs",
      export: "say",
      pinned: { files, isWhole: true },
    }),
    load: () => expect.fail("it runs elsewhere"),
  });
  const registry = new ToolRegistry({ sources: [{ name: "fixture", list: async () => [entry] }] });
  await registry.readSources();
  const isolation = isolatePackages({
    config: () => ({ default: "isolated", grants: { "*": DEFAULT_GRANT } }),
    projectDir: directory,
    workspace: { cwd: directory, roots: [directory] },
  });
  const executor = new UnifiedToolExecutor(registry, { isolation, limits: { retry: { attempts: 1 } } });
  onTestFinished(() => executor.close());
  return { executor, directory };
}

describe("a pinned package in a process of its own", () => {
  it("runs as it is pinned", async () => {
    const { executor } = await open();
    expect(await executor.execute("say", {})).toMatchObject({ success: true, value: "hello" });
  });

  it.each(Object.keys(FILES))("SEC-LOCK-5: does not run when %s is another", async (file) => {
    const { executor, directory } = await open();
    await writeFile(path.join(directory, file), `${await readFile(path.join(directory, file), "utf8")} `);
    expect(await executor.execute("say", {})).toMatchObject({
      success: false,
      code: "load_failed",
      details: { finding: "lock_drift", package: "@acme/pinned" },
    });
  });
});
