/** The process in which `aiw check` runs a package's code: imports one module, or loads the tools and runs their contract. */
import { readFileSync, rmSync } from "node:fs";
import type { ProbeRequest } from "./import-probe.ts";
import type { ContractRequest } from "./run-contract.ts";

// The package's code is to see neither.
const [mode, file = ""] = process.argv.splice(2);
const request: unknown = JSON.parse(readFileSync(file, "utf8"));
rmSync(file);

if (mode === "import") {
  const { probeImport } = await import("./import-probe.ts");
  probeImport(request as ProbeRequest);
} else {
  const { runContract } = await import("./run-contract.ts");
  await runContract(request as ContractRequest);
}
