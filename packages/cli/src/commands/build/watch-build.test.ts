import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { authorPackage, toolText } from "../../__fixtures__/author-package.ts";
import { liveAiw } from "../../__fixtures__/live-aiw.ts";

describe("aiw build --watch", { timeout: 120_000 }, () => {
  it("builds again after a change, keeps the last good manifest through errors, and ends at Ctrl-C", async () => {
    await using workspace = await authorPackage({ main: "dist/index.js" });
    await using live = liveAiw(workspace.cwd, ["build", "--watch"]);
    await live.until("Wrote aiw-tools.json: 1 tool of @acme/tickets 1.2.3 (find).");
    await workspace.write("dist/index.js", toolText("seek"));
    await live.until("(seek).");
    const good = await workspace.read("aiw-tools.json");
    await workspace.write("dist/index.js", "export const broken = ;");
    await live.until("Not built; the last good manifest stays");
    expect(await workspace.read("aiw-tools.json")).toBe(good);
    await workspace.write("dist/index.js", toolText("seek") + toolText("more"));
    await live.until("2 tools of @acme/tickets 1.2.3 (more, seek).");
    expect(await live.end("SIGINT")).toEqual({ code: 130, signal: null });
    expect(await workspace.list()).toEqual(expect.arrayContaining(["aiw-tools.json"]));
    expect((await workspace.list()).filter((file) => file.includes(".tmp"))).toEqual([]);
  });

  it.each([
    ["says at its start that the compiler has to run beside it", { "src/index.ts": "export {};" }, true],
    ["says nothing of a compiler where the module is its own source", {}, false],
  ])("%s", async (_what, files, isSaid) => {
    await using workspace = await authorPackage({ main: "dist/index.js" }, files);
    await using live = liveAiw(workspace.cwd, ["build", "--watch"]);
    await live.until("Wrote aiw-tools.json");
    expect(live.err().includes("run the compiler beside it, such as tsc --watch")).toBe(isSaid);
    expect(live.err().includes("aiw dev")).toBe(isSaid);
    await live.end("SIGINT");
  });

  it("leaves no manifest behind when the last build failed", async () => {
    await using workspace = await authorPackage();
    await using live = liveAiw(workspace.cwd, ["build", "--watch", "--json"]);
    await live.until('"changed":true');
    await workspace.write("dist/index.js", "export {};");
    await live.until('"manifest_not_writable"');
    expect(await live.end("SIGINT")).toEqual({ code: 130, signal: null });
    expect(existsSync(workspace.path("aiw-tools.json"))).toBe(false);
    for (const line of live.out().trim().split("\n")) JSON.parse(line);
  });
});
