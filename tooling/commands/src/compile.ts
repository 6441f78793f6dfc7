import { existsSync, globSync, rmSync } from "node:fs";
import path from "node:path";
import { ROOT, runTool } from "./run-command.ts";

/** Folders with a `tsconfig.json` of their own, as the root's references name them. */
const folders = globSync("{packages,plugins,apps,examples,tooling}/*/tsconfig.json", { cwd: ROOT }).map((file) =>
  path.join(ROOT, path.dirname(file)),
);

for (const folder of folders) forgetLostOutput(folder);
const outcome = await runTool("tsc", ["-b"], { output: "inherit" });
for (const folder of folders) removeStaleOutput(folder);
process.exitCode = outcome.code;

/** The compiler trusts its build information, so a deleted `dist` would never come back. */
function forgetLostOutput(folder: string): void {
  if (existsSync(path.join(folder, "dist"))) return;
  rmSync(path.join(folder, "node_modules/.cache/tsc.tsbuildinfo"), { force: true });
}

/** The compiler leaves the output of deleted sources behind, which would be packed. */
function removeStaleOutput(folder: string): void {
  for (const file of globSync("dist/**/*.{js,js.map,d.ts,d.ts.map}", { cwd: folder })) {
    const source = file.replace(/^dist/u, "src").replace(/(?:\.d\.ts|\.js)(?:\.map)?$/u, ".ts");
    if (!existsSync(path.join(folder, source))) rmSync(path.join(folder, file));
  }
}
