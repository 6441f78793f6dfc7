import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

it("every requirement has a test, and every test a requirement", async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), "utf8")));
  const tested = new Set(texts.flatMap((text) => [...text.matchAll(/["`]([A-Z]+-\d+) [\w%]/g)].map(([, id]) => id)));
  expect([...tested].toSorted()).toEqual(Object.keys(REQUIREMENTS).toSorted());
});
