import { createHash } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { toCanonicalJson } from "../../schema/canonical-json.ts";

/** A package as it is installed. */
export interface FixturePackage {
  readonly name: string;
  readonly version?: string;
  readonly packageJson?: Readonly<Record<string, unknown>> | string;
  readonly files?: Readonly<Record<string, string>>;
  /** The key under which it is installed, when that is another one. */
  readonly key?: string;
  /** As the project writes it. */
  readonly range?: string;
  /** Installed, but not written into the project. */
  readonly undeclared?: boolean;
}

export interface FixtureProject {
  readonly layout: "npm" | "pnpm";
  readonly packages?: readonly FixturePackage[];
  readonly packageJson?: Readonly<Record<string, unknown>>;
  /** Inside the temporary folder. */
  readonly directory?: string;
}

export interface MadeProject extends AsyncDisposable {
  readonly dir: string;
  write(file: string, text: string): Promise<string>;
  remove(file: string): Promise<void>;
}

/** Makes a project as npm or pnpm installs it, in a temporary folder. */
export async function makeProject({ layout, packages = [], packageJson = {}, directory = "." }: FixtureProject): Promise<MadeProject> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "aiw-discover-")));
  const dir = path.join(root, directory);
  const write = async (file: string, text: string): Promise<string> => {
    const target = path.resolve(dir, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
    return target;
  };
  const declared = packages.filter(({ undeclared }) => undeclared !== true);
  const dependencies = Object.fromEntries(declared.map(({ name, key = name, range = "^1.0.0" }) => [key, range]));
  await write("package.json", JSON.stringify({ name: "shop", version: "1.0.0", dependencies, ...packageJson }));
  for (const one of packages) await install(one, { layout, dir, write });
  return {
    dir,
    write,
    remove: (file) => rm(path.resolve(dir, file), { recursive: true, force: true }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

interface Place {
  readonly layout: "npm" | "pnpm";
  readonly dir: string;
  write(file: string, text: string): Promise<string>;
}

async function install(one: FixturePackage, { layout, dir, write }: Place): Promise<void> {
  const { name, version = "1.0.0", key = name, packageJson = {}, files = {} } = one;
  const store = `node_modules/.pnpm/${name.replace("/", "+")}@${version}/node_modules/${name}`;
  const home = layout === "npm" ? `node_modules/${key}` : store;
  const text = typeof packageJson === "string" ? packageJson : JSON.stringify({ name, version, ...packageJson });
  await write(`${home}/package.json`, text);
  for (const [file, content] of Object.entries(files)) await write(`${home}/${file}`, content);
  if (layout === "npm") return;
  const link = path.join(dir, "node_modules", key);
  await mkdir(path.dirname(link), { recursive: true });
  await symlink(path.relative(path.dirname(link), path.join(dir, home)), link);
}

/** A legal spec of a tool that greets. */
export function specOf(name: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name,
    description: `Runs ${name}.`,
    type: "function",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    metadata: { tags: [], permissions: [], effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false } },
    ...changes,
  };
}

/** The source of a module that exports tools as any copy of the contract makes them. */
export function toolModule(names: readonly string[], { before = "", changes = {} }: { before?: string; changes?: object } = {}): string {
  const lines = names.map(
    (name) => `export const ${name} = {
      [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf(name, { ...changes }))},
      execute: () => ({ from: import.meta.url }) };`,
  );
  return [before, ...lines].join("\n");
}

/** A whole tool package with a static manifest. */
export function toolPackage(name: string, tools: readonly string[], changes: Partial<FixturePackage> = {}): FixturePackage {
  const { version = "1.0.0", packageJson = {}, files = {} } = changes;
  return {
    ...changes,
    name,
    version,
    packageJson: typeof packageJson === "string" ? packageJson : { type: "module", aiwhisperer: { tools: "./aiw-tools.json" }, ...packageJson },
    files: { "index.js": toolModule(tools), "aiw-tools.json": manifestOf(name, tools, { version }), ...files },
  };
}

/** The text of a static manifest. */
export function manifestOf(
  name: string,
  tools: readonly string[],
  { version = "1.0.0", ...changes }: Readonly<Record<string, unknown>> = {},
): string {
  const entries = tools.map((tool) => {
    const spec = specOf(tool);
    return { module: "./index.js", export: tool, definitionHash: hashOf(spec), spec };
  });
  return JSON.stringify({ manifestVersion: 1, package: { name, version }, generatedBy: "test", tools: entries, ...changes });
}

function hashOf(spec: Readonly<Record<string, unknown>>): string {
  return `sha256-${createHash("sha256").update(toCanonicalJson(spec)).digest("base64")}`;
}
