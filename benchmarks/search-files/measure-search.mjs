// What every contender does: search the same tree again and again, and show how much was found.
import { createRequire } from "node:module";
import { realpathSync } from "node:fs";
import path from "node:path";
import { printTimes } from "../src/time-operation.ts";

const [folder, wanted, times] = [process.argv[2], process.argv[3], Number(process.argv[4])];

/** Times `search(folder, wanted)`, which gives how much was found. */
export async function measureSearch(search) {
  const answer = await search(folder, wanted);
  const spent = [];
  for (let index = 0; index < times; index += 1) {
    const started = performance.now();
    await search(folder, wanted);
    spent.push(performance.now() - started);
  }
  printTimes(spent, answer);
}

/** The program that the plugin brings, for every contender that starts one. */
export async function findRipgrep() {
  const plugin = realpathSync(new URL("../node_modules/@aiw/plugin-filesystem/package.json", import.meta.url));
  const { rgPath } = await import(createRequire(plugin).resolve("@vscode/ripgrep"));
  process.env.PATH = [path.dirname(rgPath), process.env.PATH].join(path.delimiter);
  return rgPath;
}
