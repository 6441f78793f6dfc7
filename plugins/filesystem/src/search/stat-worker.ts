import { lstatSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { StatOrder } from "./start-stats.ts";

// Times and sizes of many paths at once; a call for each of them costs several times more than the answer.
parentPort?.on("message", ({ folder, paths, sort }: StatOrder) => {
  const weights = Float64Array.from(paths.split("\0"), (path) => {
    try {
      const facts = lstatSync(folder + path, { throwIfNoEntry: false });
      return facts === undefined ? Number.NaN : sort === "mtime" ? facts.mtimeMs : facts.size;
    } catch {
      return Number.NaN;
    }
  });
  parentPort?.postMessage(weights, [weights.buffer]);
});
