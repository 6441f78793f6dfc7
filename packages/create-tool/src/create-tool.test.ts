import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeWorld } from "./__fixtures__/fake-world.ts";
import { createTool } from "./create-tool.ts";

describe("createTool", () => {
  it("makes a package by the defaults where nobody can be asked", async () => {
    await using world = await fakeWorld({ environment: { npm_config_user_agent: "yarn/4.18.1" } });
    expect(await createTool(["My Tool"], world)).toBe(0);
    expect(world.printed()).toContain("Next:\n  cd 'My Tool'\n  yarn install\n  yarn run check\n");
    expect(world.complained()).toBe("");
    expect(await readFile(join(world.cwd, "My Tool/package.json"), "utf8")).toContain('"name": "my-tool"');
    expect(world.ran).toEqual([]);
  });

  it("makes it here, beside what is here when it is told to", async () => {
    await using world = await fakeWorld();
    await writeFile(join(world.cwd, "README.md"), "mine");
    expect(await createTool(["."], world)).toBe(1);
    expect(world.complained()).toContain("is not empty:\n  README.md\nFix: ");
    expect(await readdir(world.cwd)).toEqual(["README.md"]);
    expect(await createTool([".", "--force"], world)).toBe(0);
    expect(world.complained()).toContain("Kept what was there: README.md.");
    expect(await readFile(join(world.cwd, "README.md"), "utf8")).toBe("mine");
    expect(world.printed()).toContain("Next:\n  npm install\n  npm run check\n");
  });

  it("takes the folder of the name, and a name of the folder", async () => {
    await using world = await fakeWorld();
    expect(await createTool(["--name", "@acme/tickets", "--yes"], world)).toBe(0);
    expect(await readdir(world.cwd)).toEqual(["tickets"]);
  });

  it("says that a folder's name became another one of the package", async () => {
    await using world = await fakeWorld();
    expect(await createTool(["Bad_Name!", "--yes"], world)).toBe(0);
    expect(world.printed()).toContain("Made bad_name in ");
    expect(world.printed()).toContain("Bad_Name! is no name of a package; another one: --name");
    await using other = await fakeWorld();
    await createTool(["fine", "--yes"], other);
    await createTool(["Fine", "--yes", "--name", "@acme/chosen"], other);
    expect(other.printed()).not.toContain("is no name");
  });

  it("wants to know where", async () => {
    await using world = await fakeWorld();
    expect(await createTool(["--yes"], world)).toBe(2);
    expect(world.complained()).toBe("create-tool: Which folder?\nFix: Name it: npm create @aiw/tool@latest my-tool\n");
  });

  it("refuses a flag that is none before it touches anything", async () => {
    await using world = await fakeWorld();
    expect(await createTool(["x", "--tempalte", "class"], world)).toBe(2);
    expect(world.complained()).toContain("Did you mean --template?");
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it("looks at the folder before it asks", async () => {
    await using world = await fakeWorld({ interactive: true });
    await writeFile(join(world.cwd, "file"), "");
    expect(await createTool(["file"], world)).toBe(1);
    expect(world.printed()).toBe("");
  });

  it("leaves nothing when the person leaves", async () => {
    await using world = await fakeWorld({ interactive: true });
    const ended = createTool(["x"], world);
    world.stdout.once("data", () => setImmediate(() => world.interrupt.abort()));
    expect(await ended).toBe(130);
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it("makes a repository and installs, in the package's folder", async () => {
    await using world = await fakeWorld();
    expect(await createTool(["x", "--git", "--install", "--package-manager", "bun"], world)).toBe(0);
    const cwd = join(world.cwd, "x");
    expect(world.ran).toEqual([
      { program: "git", args: ["init", "--quiet", "--initial-branch=main"], cwd },
      { program: "bun", args: ["install"], cwd },
    ]);
    expect(world.printed()).toContain("Next:\n  cd x\n  bun run check\n");
  });

  it("makes no repository inside of one", async () => {
    await using world = await fakeWorld();
    await mkdir(join(world.cwd, ".git"));
    expect(await createTool(["x", "--git"], world)).toBe(0);
    expect(world.ran).toEqual([]);
  });

  it("keeps the package when what comes after it fails, and says so", async () => {
    await using world = await fakeWorld({ run: async ({ program }) => (program === "git" ? undefined : 1) });
    expect(await createTool(["x", "--git", "--install"], world)).toBe(1);
    expect(world.complained()).toContain("git cannot be started");
    expect(world.complained()).toContain("The dependencies were not installed.");
    expect(world.printed()).toContain("  npm install\n");
    expect(await readdir(world.cwd)).toEqual(["x"]);
  });

  it("helps, and says its version", async () => {
    await using world = await fakeWorld();
    expect(await createTool(["--help"], world)).toBe(0);
    expect(world.printed()).toContain("Usage: npm create @aiw/tool@latest [DIR]");
    expect(await createTool(["-v"], world)).toBe(0);
    expect(world.printed()).toMatch(/\n\d+\.\d+\.\d+\S*\n$/);
  });
});
