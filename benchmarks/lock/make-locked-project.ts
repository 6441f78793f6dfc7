import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeProject } from "../discovery/make-project.ts";
import { TOOLS_PER_PLUGIN } from "../discovery/describe-plugin.ts";

/** Bytes of code of one tool: a small module of its own. */
const CODE_BYTES = 8192;

/** Makes a project whose dependencies all bring tools, with a module of code for each; gives the folder. */
export function makeLockedProject(dir: string, tools: number): string {
  const plugins = tools / TOOLS_PER_PLUGIN;
  makeProject(dir, { ecosystem: "aiw", dependencies: plugins, plugins, layout: "flat" });
  const { dependencies } = JSON.parse(readFileSync(path.join(dir, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const key of Object.keys(dependencies)) writeCode(path.join(dir, "node_modules", key));
  return dir;
}

function writeCode(packageDir: string): void {
  const { tools } = JSON.parse(readFileSync(path.join(packageDir, "aiw-tools.json"), "utf8")) as {
    readonly tools: readonly { readonly module: string }[];
  };
  for (const { module } of tools) {
    const file = path.join(packageDir, module);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "export default () => undefined;\n");
    appendFileSync(file, `// ${module} ${"x".repeat(CODE_BYTES)}\n`);
  }
}
