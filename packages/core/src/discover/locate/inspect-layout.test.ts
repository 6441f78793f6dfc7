import { mkdir, symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { makeProject } from "../__fixtures__/make-project.ts";
import { readRunningCore } from "../core-version.ts";
import { inspectLayout } from "./inspect-layout.ts";

describe("inspectLayout", () => {
  it.each([
    ["npm", "package-lock.json", ["node_modules/.package-lock.json"]],
    ["npm-linked", "package-lock.json", ["node_modules/.store/x"]],
    ["pnpm", "pnpm-lock.yaml", ["node_modules/.modules.yaml", "node_modules/.pnpm/x"]],
    ["pnpm-hoisted", "pnpm-lock.yaml", ["node_modules/.modules.yaml"]],
    ["pnpm-pnp", "pnpm-lock.yaml", [".pnp.cjs"]],
    ["yarn-node-modules", "yarn.lock", ["node_modules/.yarn-state.yml", ".pnp.cjs"]],
    ["yarn-node-modules", "yarn.lock", ["node_modules/.yarn-integrity"]],
    ["yarn-pnpm", "yarn.lock", ["node_modules/.store/x"]],
    ["yarn-pnp", "yarn.lock", [".pnp.cjs", "node_modules/.cache/x"]],
    ["bun-hoisted", "bun.lock", ["node_modules/.bin/x"]],
    ["bun-isolated", "bun.lock", ["node_modules/.bun/x"]],
    ["npm", "package-lock.json", ["node_modules/copied/package.json"]],
    ["none", "yarn.lock", []],
  ])("recognises %s by %s and %j, from a member of the workspace too", async (layout, lock, marks) => {
    await using project = await makeProject({ layout: "npm", packageJson: { workspaces: ["packages/*"] } });
    for (const file of [lock, ...marks]) await project.write(file, "");
    await project.write("packages/a/package.json", '{"name":"a"}');
    await mkdir(path.join(project.dir, "packages/a/node_modules"));
    const [manager] = /^[a-z]+/u.exec(lock.replace("package", "npm")) ?? [];
    const expected = { manager, layout, workspaceRoot: project.dir, pnpActive: false, node: process.versions.node };
    expect(await inspectLayout(project.dir)).toMatchObject({ ...expected, projectDir: project.dir });
    if (layout === "none") return;
    const member = path.join(project.dir, "packages/a");
    expect(await inspectLayout(member)).toMatchObject({ ...expected, projectDir: member });
  });

  it.each([
    ["packages:\n  - packages/*\n", true],
    ["settings: 1\n", false],
  ])("takes pnpm-workspace.yaml with %j for a workspace: %s", async (text, isWorkspace) => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("pnpm-lock.yaml", "");
    await project.write("pnpm-workspace.yaml", text);
    const { workspaceRoot } = await inspectLayout(project.dir);
    expect(workspaceRoot).toBe(isWorkspace ? project.dir : undefined);
  });

  it("names the running core first, then the project's where that is another", async () => {
    const running = readRunningCore();
    await using project = await makeProject({ layout: "npm", packages: [{ name: "@aiw/core", version: "0.0.9" }] });
    expect((await inspectLayout(project.dir)).cores).toEqual([
      { ...running, running: true },
      { version: "0.0.9", dir: path.join(project.dir, "node_modules/@aiw/core"), running: false },
    ]);
    await project.remove("node_modules/@aiw/core");
    await symlink(running?.dir ?? "", path.join(project.dir, "node_modules/@aiw/core"));
    expect((await inspectLayout(project.dir)).cores).toEqual([{ ...running, running: true }]);
  });

  it("says that Plug'n'Play is active when its resolver answers", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("cache/core/package.json", '{"name":"@aiw/core","version":"7.0.0"}');
    const api = {
      resolveToUnqualified: () => path.join(project.dir, "cache/core/"),
      findPackageLocator: () => null,
      getPackageInformation: () => null,
    };
    const pnp = { find: () => ({ api, issuer: project.dir + path.sep }) };
    const found = await inspectLayout(project.dir, { pnp });
    expect(found).toMatchObject({ layout: "yarn-pnp", pnpActive: true });
    expect(found.cores[1]).toEqual({ version: "7.0.0", dir: path.join(project.dir, "cache/core"), running: false });
  });

  it("has something to say where there is no project", async () => {
    expect(await inspectLayout("/")).toEqual({
      manager: "npm",
      layout: "none",
      node: process.versions.node,
      cores: [{ ...readRunningCore(), running: true }],
      pnpActive: false,
    });
  });
});
