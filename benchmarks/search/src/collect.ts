import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { askServer, type ListedTool } from "./ask-server.ts";
import { CACHE_FILE, ROOT, type CollectedTool } from "./corpus.ts";

interface Server {
  readonly package: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

const PLUGINS = ["filesystem", "shell", "web"];

const collected: CollectedTool[] = [];
for (const plugin of PLUGINS) {
  const manifest = await readJson<{ tools: { spec: ListedTool }[] }>(
    resolve(ROOT, "../../plugins", plugin, "aiw-tools.json"),
  );
  add(
    `@aiw/plugin-${plugin}`,
    "workspace",
    manifest.tools.map(({ spec }) => spec),
  );
}
for (const server of await readJson<Server[]>(join(ROOT, "servers.json"))) {
  const dir = join(ROOT, "node_modules", server.package);
  try {
    const { version, bin } = await readJson<{ version: string; bin: string | Record<string, string> }>(
      join(dir, "package.json"),
    );
    const script = join(dir, typeof bin === "string" ? bin : (Object.values(bin)[0] ?? "index.js"));
    add(server.package, version, await askServer({ script, args: server.args ?? [], env: server.env ?? {} }));
  } catch (error) {
    process.stderr.write(`${server.package}: left out: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
await mkdir(join(ROOT, ".cache"), { recursive: true });
await writeFile(CACHE_FILE, `${JSON.stringify(collected, undefined, 1)}\n`);
process.stderr.write(`${collected.length} tools of ${new Set(collected.map(({ server }) => server)).size} packages\n`);

function add(server: string, version: string, tools: readonly ListedTool[]): void {
  process.stderr.write(`${server} ${version}: ${tools.length}\n`);
  for (const { name, title, description = "", inputSchema } of tools) {
    collected.push({
      id: `${server}/${name}`,
      server,
      version,
      name,
      ...(title !== undefined && { title }),
      description,
      inputSchema,
    });
  }
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, "utf8")) as T;
}
