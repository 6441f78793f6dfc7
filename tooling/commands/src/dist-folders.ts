import { existsSync, globSync, rmSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./run-command.ts";

/** Folders with a `tsconfig.json` of their own, as the root's references name them. */
function findCompiledFolders(): string[] {
  return globSync(["{packages,plugins,apps,examples,tooling}/*/tsconfig.json", "e2e/tsconfig.json"], { cwd: ROOT }).map(
    (file) => path.join(ROOT, path.dirname(file)),
  );
}

/** The compiler trusts its build information, so without this a deleted `dist` would never come back. */
export function forgetLostOutput(): void {
  for (const folder of findCompiledFolders()) {
    if (existsSync(path.join(folder, "dist"))) continue;
    rmSync(path.join(folder, "node_modules/.cache/tsc.tsbuildinfo"), { force: true });
  }
}

/** Compiler and cache leave the output of deleted sources behind, which would be packed. */
export function removeStaleOutput(): void {
  for (const folder of findCompiledFolders()) {
    for (const file of globSync("dist/**/*.{js,js.map,d.ts,d.ts.map}", { cwd: folder })) {
      const source = file.replace(/^dist/u, "src").replace(/(?:\.d\.ts|\.js)(?:\.map)?$/u, ".ts");
      if (!existsSync(path.join(folder, source))) rmSync(path.join(folder, file));
    }
  }
}
