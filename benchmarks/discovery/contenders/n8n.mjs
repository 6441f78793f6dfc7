// Community nodes by name, each read by the published loader, which uses the files that spare loading their code.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const { LazyPackageDirectoryLoader } = require("n8n-core/dist/nodes-loader/lazy-package-directory-loader.js");
const modules = path.join(process.argv[2], "node_modules");
let count = 0;
for (const name of readdirSync(modules)) {
  if (!name.startsWith("n8n-nodes-")) continue;
  const loader = new LazyPackageDirectoryLoader(path.join(modules, name));
  await loader.loadAll();
  if (!loader.isLazyLoaded) throw new Error(`${name} was not read from its manifest`);
  count += loader.types.nodes.length;
}
process.stdout.write(`${JSON.stringify({ count })}\n`);
