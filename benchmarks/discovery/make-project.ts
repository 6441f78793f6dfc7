import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describePlugin, type Ecosystem } from "./describe-plugin.ts";

/** Folders beside each other, or links into a store as pnpm makes them. */
export type Layout = "flat" | "linked";

/** A project to make. */
export interface ProjectShape {
  readonly ecosystem: Ecosystem;
  readonly dependencies: number;
  /** How many of them are plugins with tools. */
  readonly plugins: number;
  readonly layout: Layout;
}

/** Makes an installed project in a folder that does not exist yet; gives the folder. */
export function makeProject(dir: string, { ecosystem, dependencies, plugins, layout }: ProjectShape): string {
  const keys = Array.from({ length: dependencies }, (_, index) => toKey(ecosystem, { index, dependencies, plugins }));
  writeFiles(dir, {
    "package.json": toText({
      name: "project",
      version: "1.0.0",
      private: true,
      type: "module",
      // How an oclif command line names its plugins; the others do not read it.
      oclif: { bin: "project", plugins: ["*-plugin-*"] },
      dependencies: Object.fromEntries(keys.map(({ key }) => [key, "^1.0.0"])),
    }),
  });
  for (const { key, isPlugin } of keys) {
    const files = isPlugin ? describePlugin(ecosystem, key) : { "package.json": describeOrdinary(key) };
    writeFiles(placeOf(dir, key, layout), Object.fromEntries(Object.entries(files).map(toFile)));
    if (layout === "linked") {
      const link = path.join(dir, "node_modules", key);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.relative(path.dirname(link), placeOf(dir, key, layout)), link);
    }
  }
  return dir;
}

/** Plugins stand evenly among the others, by the names their ecosystem asks for. */
function toKey(
  ecosystem: Ecosystem,
  { index, dependencies, plugins }: { index: number; dependencies: number; plugins: number },
): { key: string; isPlugin: boolean } {
  const isPlugin = Math.floor(((index + 1) * plugins) / dependencies) > Math.floor((index * plugins) / dependencies);
  const number = String(index).padStart(5, "0");
  const prefix = ecosystem === "n8n" ? "n8n-nodes-plugin" : `${ecosystem}-plugin`;
  return { key: isPlugin ? `${prefix}-${number}` : `dependency-${number}`, isPlugin };
}

function placeOf(dir: string, key: string, layout: Layout): string {
  if (layout === "flat") return path.join(dir, "node_modules", key);
  return path.join(dir, "node_modules/.pnpm", `${key}@1.2.3`, "node_modules", key);
}

/** A package.json of ordinary length: what authors write, and what registries keep. */
function describeOrdinary(key: string): object {
  return {
    name: key,
    version: "1.2.3",
    description: `Does what ${key} does, for those who need it done and do not want to do it themselves.`,
    keywords: ["useful", "small", "fast", "tested", "typed", "maintained"],
    homepage: `https://example.org/${key}#readme`,
    bugs: { url: `https://example.org/${key}/issues` },
    repository: { type: "git", url: `git+https://example.org/${key}.git` },
    license: "MIT",
    author: { name: "A. Author", email: "author@example.org", url: "https://example.org" },
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
    files: ["dist", "src", "README.md", "LICENSE"],
    scripts: { build: "tsc -b", test: "vitest run", lint: "oxlint", prepublishOnly: "npm run build" },
    dependencies: { "left-half": "^1.0.0", "right-half": "^2.3.4" },
    devDependencies: { typescript: "^7.0.0", vitest: "^5.0.0", oxlint: "^1.90.0" },
    engines: { node: ">=22.19" },
    sideEffects: false,
  };
}

function toFile([name, content]: [string, unknown]): [string, string] {
  return [name, typeof content === "string" ? content : toText(content)];
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
