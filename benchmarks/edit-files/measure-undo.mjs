// What every contender does: change all files of a folder, go back, time the way back, and show that every byte is as it was.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { printTimes } from "../src/time-operation.ts";

const FILES_OF_A_FOLDER = 100;
const LINES = 60;

/**
 * Times `goBack()` of what `create(folder, files)` gives, after its `change(files)`; files have `path`, `before` and `after`. The
 * process is given a folder and how many files.
 */
export async function measureUndo(create) {
  const [scratch, count] = [process.argv[2], Number(process.argv[3])];
  const folder = `${scratch}/undo-${process.pid}/work`;
  const files = Array.from({ length: count }, (_, number) => makeFile(folder, number));
  for (const { path, before } of files) {
    mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    writeFileSync(path, before);
  }
  const { change, goBack, close } = await create(folder, files);
  await change(files);
  for (const { path, after } of files) assert.equal(readFileSync(path, "utf8"), after);
  const started = performance.now();
  await goBack(files);
  const spent = performance.now() - started;
  for (const { path, before } of files) assert.equal(readFileSync(path, "utf8"), before);
  await close?.();
  rmSync(`${scratch}/undo-${process.pid}`, { recursive: true });
  printTimes([spent], { files: count });
}

/** Changes the files as any program does. */
export function writeAll(files) {
  for (const { path, after } of files) writeFileSync(path, after);
}

function makeFile(folder, number) {
  const line = (index) => `export const name${number}x${index} = ${index * number};\n`;
  const before = Array.from({ length: LINES }, (_, index) => line(index)).join("");
  const path = `${folder}/part${Math.floor(number / FILES_OF_A_FOLDER)}/file${number}.ts`;
  return { path, before, after: before.replaceAll("export const", "export let") };
}
