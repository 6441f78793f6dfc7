/** The process in which `aiw check` runs a package's code: imports one module, or loads the tools and runs their contract. */
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { ProbeRequest } from "./import-probe.ts";
import type { ContractRequest } from "./run-contract.ts";

// The package's code is to see neither.
const [mode, file = ""] = process.argv.splice(2);
const request: unknown = JSON.parse(readFileSync(file, "utf8"));
rmSync(file);
await watchParent();

if (mode === "import") {
  const { probeImport } = await import("./import-probe.ts");
  probeImport(request as ProbeRequest);
} else {
  const { runContract } = await import("./run-contract.ts");
  await runContract(request as ContractRequest);
}

/** A parent that was killed ends nothing any more: beside code that spins only a thread can. */
async function watchParent(): Promise<void> {
  const target = process.platform === "win32" ? process.pid : -process.pid;
  const code = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(${target}, "SIGKILL"); }, 500);`;
  const thread = new Worker(code, { eval: true, execArgv: [], env: {} });
  await once(thread, "online");
  thread.unref();
}
