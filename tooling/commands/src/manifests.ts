import { globSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { writeManifest } from "@aiw/core/node";
import { ROOT } from "./run-command.ts";

/** Where every plugin's built tool package stands, relative to the plugin. */
const MODULE = "./dist/index.js";

let failures = 0;
for (const file of globSync("plugins/*/package.json", { cwd: ROOT }).sort()) {
  const packageDir = path.join(ROOT, path.dirname(file));
  const { name } = JSON.parse(readFileSync(path.join(ROOT, file), "utf8")) as { name: string };
  try {
    const written = await writeManifest({ packageDir, module: MODULE });
    if (written.tools.length === 0) failures += complain({ name, packageDir }, `${MODULE} exports no tool`);
    else process.stdout.write(`${name}: ${written.tools.join(", ")}\n`);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    failures += complain({ name, packageDir }, reason);
  }
}
process.exitCode = failures === 0 ? 0 : 1;

interface Plugin {
  readonly name: string;
  readonly packageDir: string;
}

/** A manifest of an earlier build must not stand in for one that cannot be written; until then it may be packed. */
function complain({ name, packageDir }: Plugin, reason: string): number {
  rmSync(path.join(packageDir, "aiw-tools.json"), { force: true });
  process.stderr.write(`${name}: no static manifest was written: ${reason}\n`);
  return 1;
}
