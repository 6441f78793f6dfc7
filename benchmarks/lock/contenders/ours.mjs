// The whole pass of a host: with a lock that must hold, and without one.
import { existsSync } from "node:fs";
import { compareLock, createLock, discoverTools, LOCK_FILE, writeLock } from "@aiw/core/node";
import { printTimes } from "../../src/time-operation.ts";

const [dir, mode] = process.argv.slice(2);
// Only the run whose answer is checked writes it; those that are timed find it there.
if (mode !== "unlocked" && !existsSync(`${dir}/${LOCK_FILE}`))
  writeLock(dir, (await createLock({ projectDir: dir })).lock);

const started = performance.now();
const tools =
  mode === "check"
    ? await check()
    : (await discoverTools({ projectDir: dir, frozen: mode === "frozen" })).entries().length;
const spent = performance.now() - started;
printTimes([spent], { tools });

/** What `aiw lock --check` does. */
async function check() {
  const { lock, former } = await createLock({ projectDir: dir });
  if (former === undefined || compareLock(former, lock).length > 0) throw new Error("The lock does not hold.");
  return [...lock.packages.values()].flatMap((one) => [...one.tools.keys()]).length;
}
