// One call of a tool whose code is in a process of its own, confined where the machine can do that; the process runs already.
import path from "node:path";
import { createEntry, ToolRegistry } from "@aiw/core";
import { UnifiedToolExecutor } from "@aiw/executor";
import { isolatePackages } from "@aiw/executor/node";
import { isolatedTools } from "../isolated-tools.mjs";
import { measure, toValue } from "../measure.mjs";

const directory = path.join(import.meta.dirname, "..");
const packageKey = "isolated";

await measure(async ({ name }) => {
  const code = {
    packageKey,
    directory,
    realDirectory: directory,
    module: "isolated-tools.mjs",
    export: "isolatedTools",
  };
  const entry = createEntry({
    id: `${packageKey}/${name}`,
    name,
    origin: { source: "package", package: packageKey },
    spec: isolatedTools.tools.find(({ spec }) => spec.name === name).spec,
    resolveCode: async () => code,
    load: () => Promise.reject(new Error("The code is not for this process.")),
  });
  const registry = new ToolRegistry({ sources: [{ name: "bench", list: async () => [entry] }] });
  await registry.readSources();
  const isolation = isolatePackages({
    config: () => ({ default: "isolated", grants: { [packageKey]: { confinement: "auto" } } }),
    projectDir: directory,
  });
  const executor = new UnifiedToolExecutor(registry, { isolation });
  return { call: (_text, args) => executor.execute(name, args), read: toValue };
});
