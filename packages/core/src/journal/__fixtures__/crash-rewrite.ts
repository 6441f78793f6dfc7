import { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { createDiskStore } from "../store/disk-store.ts";

/** Writes a journal's log anew, and kills itself once so many operations of the disk were made; a write is killed half-way. */
const [folder = "", operations = "0"] = process.argv.slice(2);
let left = Number(operations);

type Work = (...args: unknown[]) => Promise<unknown>;

function guard(holder: object, name: string): void {
  const work = Reflect.get(holder, name) as Work;
  Reflect.set(holder, name, async function guarded(this: unknown, ...args: unknown[]) {
    left -= 1;
    const [bytes] = args;
    if (left < 0 && bytes instanceof Uint8Array)
      await Reflect.apply(work, this, [bytes.subarray(0, bytes.length / 2), ...args.slice(1)]);
    if (left < 0) process.kill(process.pid, "SIGKILL");
    return await Reflect.apply(work, this, args);
  });
}

const handle = await promises.open(join(folder, "log.jsonl"));
for (const name of ["read", "write", "writeFile", "sync", "stat", "close"])
  guard(Object.getPrototypeOf(handle) as object, name);
for (const name of ["open", "writeFile", "unlink", "readdir", "lstat", "readFile"]) guard(promises, name);
syncBuiltinESMExports();

const store = createDiskStore(folder, {
  version: 1,
  sessionId: "s",
  cwd: "/",
  roots: [],
  process: "",
  startedAt: 0,
});
await store.rewrite();
