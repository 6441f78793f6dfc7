import { parentPort, workerData } from "node:worker_threads";
import { createHitFinder, type HitRequest } from "./find-hits.ts";

// A thread for one search: a pattern that takes long neither blocks the host nor outlives its time.
const find = createHitFinder(workerData as HitRequest);
parentPort?.on("message", (text: string) => parentPort?.postMessage(find(text)));
