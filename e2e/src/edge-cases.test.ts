import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EDGE_CASES } from "./edge-cases.ts";
import { HAZARDS } from "./fixtures/hazards.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** A title of a test, with or without the id of a requirement before it. */
const TITLE = /["'`](?:[A-Z]+-\d+ )?row (\d+): /g;

let tested: ReadonlySet<number>;

beforeAll(async () => {
  const folders = [join(ROOT, "e2e/src"), ...(await sourceFolders())];
  const texts = (await Promise.all(folders.map(readTests))).flat();
  const named = texts.flatMap((text) => [...text.matchAll(TITLE)].map(([, row]) => Number(row)));
  tested = new Set([...named, ...HAZARDS.map(({ row }) => row)]);
});

describe("EDGE_CASES", () => {
  const cases = Object.entries(EDGE_CASES).map(([row, edge]) => ({ row: Number(row), ...edge }));

  it.each(cases.filter(({ later }) => later === undefined))("EDGE-1 case $row has a test: $situation", ({ row }) => {
    expect([...tested]).toContain(row);
  });

  it("EDGE-2 every test that names a case names one that is known", () => {
    expect([...tested].filter((row) => EDGE_CASES[row] === undefined)).toEqual([]);
  });

  it("EDGE-3 a case leaves the list of later ones with its first test", () => {
    expect(cases.filter(({ row, later }) => later !== undefined && tested.has(row))).toEqual([]);
  });
});

async function sourceFolders(): Promise<string[]> {
  const parents = ["packages", "plugins"].map(async (parent) => {
    const names = await readdir(join(ROOT, parent));
    return names.map((name) => join(ROOT, parent, name, "src"));
  });
  return (await Promise.all(parents)).flat();
}

async function readTests(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(
    names.filter((name) => name.endsWith(".test.ts")).map((name) => readFile(join(folder, name), "utf8")),
  );
}
