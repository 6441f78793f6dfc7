// What most tools do: the whole file in memory, all its lines in a list.
import { readFile } from "node:fs/promises";
import { measureReads } from "../measure-reads.mjs";

await measureReads(async (file, offset, limit) => {
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.slice(offset - 1, offset - 1 + limit).join("\n");
});
