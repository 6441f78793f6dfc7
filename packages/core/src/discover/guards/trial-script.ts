/**
 * Ends its process when nobody holds the other end of descriptor 4 any more, or when the time is over. It runs beside the module:
 * an endless loop there cannot keep it from noticing.
 */
const WATCHDOG = `
const { Socket } = require("node:net");
const end = () => process.kill(process.pid, "SIGKILL");
new Socket({ fd: 4 }).on("error", end).on("close", end).resume();
setTimeout(end, require("node:worker_threads").workerData);`;

/**
 * What the process of a trial runs: imports what its first argument names, and goes on until nothing is left to do or the bound of
 * the second is over. The third is when the watchdog gives up; what follows are the host's own arguments. Having told, it waits to
 * be ended, so that no answer is overtaken by an exit.
 */
export const TRIAL_SCRIPT: string = `
import { Worker } from "node:worker_threads";
const { setTimeout, setInterval, clearInterval } = globalThis;
const [url, boundMs, deadlineMs] = process.argv.splice(1, 3);
const send = process.send.bind(process);
delete process.send;
delete process.disconnect;
const stay = () => setInterval(() => {}, 2 ** 30);
const cut = (text) => String(text).slice(0, 4000);
const show = (thrown) => {
  try {
    if (!(thrown instanceof Error)) return { name: "", message: cut(thrown), stack: "" };
    const { name, message, stack = "", code } = thrown;
    return { name: cut(name), message: cut(message), stack: cut(stack), ...(typeof code === "string" && { code: cut(code) }) };
  } catch {
    return { name: "", message: "a value that cannot be shown", stack: "" };
  }
};
let verdict = { kind: "survived" };
const tell = (told) => {
  stay();
  send(told);
};
process.on("uncaughtException", (error) => {
  if (process.listenerCount("uncaughtException") === 1) tell({ kind: "failed", error: show(error) });
});
process.once("beforeExit", () => tell(verdict));
try {
  const options = { eval: true, workerData: Number(deadlineMs), execArgv: [], env: {} };
  new Worker(${JSON.stringify(WATCHDOG)}, options).on("error", () => {}).unref();
} catch {
  // Where threads are not allowed, the host's own signal has to do.
}
const waiting = stay();
const settle = () => {
  send({ kind: "settled" });
  setTimeout(() => tell(verdict), Number(boundMs)).unref();
  clearInterval(waiting);
};
import(url).then(settle, (error) => {
  verdict = { kind: "threw", error: show(error) };
  settle();
});`;
