import * as fc from "fast-check";
import { execFileSync } from "node:child_process";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { makeProject, type MadeProject } from "../__fixtures__/make-project.ts";
import { nodePorts } from "../discovery-ports.ts";
import { readTrustedContent, type TrustedContent } from "./read-trusted-content.ts";

function contentOf(
  { dir }: MadeProject,
  settings: readonly string[] = [],
  module = "index.js",
): TrustedContent | undefined {
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
    for (const file of ["lib/b.ts", "far.mjs", "ü c.json", "cjs/index.cjs", "unnamed.js", "set.js"])
      await project.write(file, file);
    expect(contentOf(project, ['{"imports":{"#x":"./set.js"}}'])?.files).toEqual([
      "cjs/index.cjs",
      "far.mjs",
      "index.js",
      "lib/a.js",
      "lib/b.ts",
      "set.js",
      "ü c.json",
    ]);
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
