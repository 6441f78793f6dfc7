import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findCatalogues } from "../repo/catalogues.ts";
import { openRepo, ROOT } from "../repo/repo.ts";
import { findPublished } from "../repo/workspaces.ts";

/** Said beside each difference: the surface changes by decision only. */
const MESSAGE = "the public surface changed: say it in a changeset, then update the pin with `pnpm test -u`";

const repo = openRepo();

function pin(name: string): string {
  return path.join(import.meta.dirname, "../__pins__", name);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

describe("the public surface", () => {
  it("keeps its packages and their doors", async () => {
    const packages = findPublished(repo).map(({ manifest }) => [manifest.name, Object.keys(manifest.exports ?? {})]);
    await expect(json(Object.fromEntries(packages)), MESSAGE).toMatchFileSnapshot(pin("packages.json"));
  });

  it("keeps its error codes", async () => {
    const codes = findCatalogues(repo, /ERROR_CODES$/u).map(({ file, name, words }) => [
      `${folderOf(file)} ${name}`,
      [...words].sort(),
    ]);
    expect(codes.length).toBeGreaterThan(0);
    await expect(json(Object.fromEntries(codes)), MESSAGE).toMatchFileSnapshot(pin("error-codes.json"));
  });

  it("keeps its event names", async () => {
    const names = findCatalogues(repo, /(?:ACTIVITY_)?EVENT_TYPES$/u).flatMap(({ words }) => [...words].sort());
    expect(names.length).toBeGreaterThan(0);
    await expect(json(names), MESSAGE).toMatchFileSnapshot(pin("event-names.json"));
  });

  it("keeps the help of the command line", async () => {
    const aiw = path.join(ROOT, "packages/cli/bin/aiw.js");
    const help = execFileSync(process.execPath, [aiw, "--help"], {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", COLUMNS: "80" },
    });
    expect(help, "aiw --help prints nothing").not.toBe("");
    await expect(help, MESSAGE).toMatchFileSnapshot(pin("cli-help.txt"));
  });
});

/** The package that a file belongs to. */
function folderOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}
