import * as fc from "fast-check";
import { execFileSync } from "node:child_process";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { makeProject, type MadeProject } from "../__fixtures__/make-project.ts";
import { nodePorts } from "../discovery-ports.ts";
import { readTrustedContent, type TrustedContent } from "./read-trusted-content.ts";

function contentOf(
  { dir }: MadeProject,
  texts: readonly string[] = [],
  module = "index.js",
): TrustedContent | undefined {
  const settings = texts.map((text) => ({ dir, text }));
  return readTrustedContent({ dir, modules: [path.join(dir, module)], settings }, nodePorts.fs);
}

describe("readTrustedContent", () => {
  it("is the modules and every file of theirs that is named, however it is named", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write(
      "index.js",
      `import a from "./lib/a.js"; export * from './lib/b'; await import(\`./ü c.json\`); require("./cjs"); import "not-relative"; "./nowhere.js";`,
    );
    await project.write("lib/a.js", `import "../far.mjs"; import "../index.js";`);
    for (const file of ["lib/b.ts", "far.mjs", "ü c.json", "cjs/index.cjs", "unnamed.js", "sät.js"])
      await project.write(file, file);
    expect(contentOf(project, ['{"imports":{"#x":"./sät.js"}}'])?.files).toEqual([
      "cjs/index.cjs",
      "far.mjs",
      "index.js",
      "lib/a.js",
      "lib/b.ts",
      "sät.js",
      "ü c.json",
    ]);
  });

  it.each([
    ["an escaped character", 'import "./\\u0061.js";'],
    ["another escape", String.raw`import "\x2e/\u{61}.js";`],
    ["a needless escape", String.raw`import "\./\a.js";`],
    ["percent signs", 'import "./%61.js";'],
    ["a dollar sign", 'import "./$.js"; import "./a.js";'],
    ["a query", 'import "./a.js?fresh";'],
    ["a stray quote", 'const text = /"./; import "./a.js"; const other = /"./;'],
    ["other quotes", `import "./it's.js"; import './say "a".js'; import "./a.js";`],
    ["a detour", `import "./${"b/../".repeat(2000)}a.js";`],
    ["a folder", 'require("."); require("./a");'],
  ])("sees through %s in a path that is written out", async (_what, text) => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("main.js", text);
    for (const file of ["a.js", "$.js", "index.js", "it's.js", 'say "a".js']) await project.write(file, file);
    expect(contentOf(project, [], "main.js")?.files).toContain("a.js");
    if (text.includes("$")) expect(contentOf(project, [], "main.js")?.files).toContain("$.js");
    if (text.includes("it's"))
      expect(contentOf(project, [], "main.js")?.files).toEqual(["a.js", "it's.js", "main.js", 'say "a".js']);
    if (text.includes('"."')) expect(contentOf(project, [], "main.js")?.files).toContain("index.js");
  });

  it("holds the nearest package.json where it decides what a name means, and what that names", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("lib/index.js", 'import "#internal";');
    await project.write("lib/package.json", '{"imports":{"#internal":"./internal.js"}}');
    await project.write("lib/internal.js", "");
    expect(contentOf(project, [], "lib/index.js")?.files).toEqual([
      "lib/index.js",
      "lib/internal.js",
      "lib/package.json",
    ]);
    await project.write("index.js", 'import "#internal";');
    expect(contentOf(project, ["known by its deciding members"])?.files).toEqual(["index.js"]);
    expect(contentOf(project)?.files).toEqual(["index.js", "package.json"]);
  });

  it("has another hash as soon as a file or a setting differs, and the same one otherwise", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("index.js", 'import "./a.js"; import "./later.js";');
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (before, after) => {
        await project.write("a.js", before);
        const first = contentOf(project, ["x"])?.hash;
        expect(contentOf(project, ["x"])?.hash).toBe(first);
        expect(contentOf(project, ["y"])?.hash).not.toBe(first);
        await project.write("a.js", after);
        const isSame = Buffer.from(before).equals(Buffer.from(after));
        expect(contentOf(project, ["x"])?.hash === first).toBe(isSame);
      }),
      { numRuns: 30 },
    );
    const without = contentOf(project)?.hash;
    await project.write("later.js", "");
    expect(contentOf(project)?.hash).not.toBe(without);
  });

  it("does not wait for pipes, and takes nothing that is no regular file", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("index.js", 'import "./pipe.js"; import "./folder"; import "/dev/zero"; import "./null";');
    execFileSync("mkfifo", [path.join(project.dir, "pipe.js")]);
    await project.write("folder/x", "");
    expect(contentOf(project)?.files).toEqual(["index.js"]);
  });

  it("gives up on more than anybody could look at", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("index.js", Array.from({ length: 12_000 }, (_, index) => `"./${index}"`).join("\n"));
    expect(contentOf(project)).toBeUndefined();
    await project.write("large.js", "x".repeat(16 * 1024 * 1024 + 1));
    expect(contentOf(project, [], "large.js")).toBeUndefined();
  });
});
