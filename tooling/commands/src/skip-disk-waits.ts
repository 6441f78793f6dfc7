import fs, { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { devNull } from "node:os";

const handle = await promises.open(devNull);
const prototype = Object.getPrototypeOf(handle) as promises.FileHandle;
await handle.close();

async function touch(this: promises.FileHandle): Promise<void> {
  await this.stat();
}

// What is written is seen by every process at once; waiting for the disk guards against a loss of power alone, which no test can cause.
// Each stand-in still fails on what is closed. Programs that tests start wait for the disk as always.
prototype.sync = touch;
prototype.datasync = touch;
fs.fsyncSync = (descriptor) => void fs.fstatSync(descriptor);
fs.fdatasyncSync = fs.fsyncSync;
syncBuiltinESMExports();
