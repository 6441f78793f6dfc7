// The scan of an editor's folder; the nodes' code is not loaded.
import { createRequire } from "node:module";

const localFiles = createRequire(import.meta.url)("@node-red/registry/lib/localfilesystem");
localFiles.init({ userDir: process.argv[2], version: "5.0.7" });
const modules = localFiles.getNodeFiles();
const count = Object.entries(modules)
  .filter(([name]) => name !== "node-red")
  .reduce((sum, [, { nodes }]) => sum + Object.keys(nodes).length, 0);
process.stdout.write(`${JSON.stringify({ count })}\n`);
