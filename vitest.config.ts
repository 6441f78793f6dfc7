import { globSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { transform } from "esbuild";
import { defineConfig, type Plugin } from "vitest/config";

/** The defaults are replaced, so each one is named; `aiw-source` makes workspace packages resolve to `src/`. */
const conditions = ["aiw-source", "module", "node", "development|production"];

/** Lowers TC39 decorators, which neither Node nor the bundler's own transform understands. */
const lowerDecorators: Plugin = {
  name: "lower-decorators",
  enforce: "pre",
  async transform(code, id) {
    const file = id.split("?")[0] ?? id;
    if (!file.endsWith(".ts") || !/@[A-Za-z_$]/.test(code)) return;
    return await transform(code, { loader: "ts", target: "es2024", sourcemap: true, sourcefile: file });
  },
};

/** One project per package, named after its folder. */
const folders = globSync("{packages,plugins,apps,examples,tooling}/*/package.json", { cwd: import.meta.dirname })
  .map((file) => path.join(import.meta.dirname, path.dirname(file)))
  .sort();

/** What tests leave on record goes to a folder of their own, never to the home of whoever runs them. */
const stateHome = mkdtempSync(path.join(tmpdir(), "aiw-test-state-"));
process.on("exit", () => rmSync(stateHome, { recursive: true, force: true }));

/** Each test file, and each program that one starts, is a process of its own: what one compiled serves the others. */
process.env["NODE_COMPILE_CACHE"] ??= path.join(stateHome, "compiled");

export default defineConfig({
  test: {
    projects: folders.map((root) => ({
      plugins: [lowerDecorators],
      resolve: { conditions },
      ssr: { resolve: { conditions } },
      test: {
        name: path.basename(root),
        root,
        include: ["src/**/*.test.ts"],
        setupFiles: [path.join(import.meta.dirname, "tooling/commands/src/skip-disk-waits.ts")],
        testTimeout: 20_000,
        env: { AIW_STATE_HOME: stateHome },
      },
    })),
    passWithNoTests: true,
    // The default leaves a core to the main process, which has little to do: on two cores all files would run one after another.
    maxWorkers: availableParallelism(),
  },
});
