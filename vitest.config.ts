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

const folders = {
  core: "packages/core",
  executor: "packages/executor",
  testkit: "packages/testkit",
  "ai-sdk": "packages/ai-sdk",
  cli: "packages/cli",
  filesystem: "plugins/filesystem",
  shell: "plugins/shell",
  web: "plugins/web",
  demo: "apps/demo",
  "first-tools": "examples/first-tools",
  "repo-checks": "tooling/repo-checks",
  "lint-rules": "tooling/lint-rules",
};

export default defineConfig({
  test: {
    projects: Object.entries(folders).map(([name, root]) => ({
      plugins: [lowerDecorators],
      resolve: { conditions },
      ssr: { resolve: { conditions } },
      test: { name, root: new URL(root, import.meta.url).pathname, include: ["src/**/*.test.ts"] },
    })),
    passWithNoTests: true,
  },
});
