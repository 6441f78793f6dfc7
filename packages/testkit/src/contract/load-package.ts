import { readFile, realpath, symlink } from "node:fs/promises";
import * as path from "node:path";
import type { JsonSchema, Tool, ToolEntry } from "@aiw/core";
import { discoverTools } from "@aiw/core/node";
import { temporaryWorkspace } from "../workspace/temporary-workspace.ts";
import { toFolder } from "./to-folder.ts";

/** A tool that a host lists, and its code or the reason why it cannot be had. */
export type ListedTool =
  | { readonly name: string; readonly tool: Tool }
  | { readonly name: string; readonly problem: string };

/** What a host makes of a package. */
export interface LoadedPackage {
  readonly name: string;
  readonly tools: readonly ListedTool[];
  readonly optionsSchema: JsonSchema | undefined;
  /** What the host says of the package, with what to change. */
  readonly problems: readonly string[];
}

interface Declaration {
  readonly name: string;
  /** The manifest, where there is one. */
  readonly tools?: string;
}

/** Finds and loads the tools of a built package as a host does: from a project that depends on it. */
export async function loadPackage(packageDir: string | URL): Promise<LoadedPackage> {
  const dir = toFolder(packageDir);
  const declaration = await readDeclaration(dir);
  if (typeof declaration === "string")
    return { name: dir, tools: [], optionsSchema: undefined, problems: [declaration] };
  const { name } = declaration;
  await using project = await temporaryWorkspace({
    "package.json": JSON.stringify({ name: "host-of-the-contract", private: true, dependencies: { [name]: "*" } }),
    [`node_modules/${path.posix.dirname(name)}/`]: "",
  });
  // Windows lets everybody make junctions, and links of folders only some.
  await symlink(await realpath(dir), project.path(`node_modules/${name}`), "junction");
  const registry = await discoverTools(
    { projectDir: project.cwd },
    { environment: {}, trust: { isTrusted: () => false } },
  );
  await registry.load();
  const tools = new Map<string, ListedTool>();
  for (const entry of registry.entries())
    if (entry.origin.package === name) tools.set(entry.name, await loadListed(entry));
  const problems: string[] = [];
  const { rejected, missing, notEnabled } = registry.report;
  for (const { tool, reason, fix } of [...rejected, ...missing, ...notEnabled]) {
    if (tool === undefined) problems.push(`${reason} ${fix}`);
    else tools.set(tool, { name: tool, problem: `${reason} ${fix}` });
  }
  return { name, tools: [...tools.values()], optionsSchema: await readOptionsSchema(dir, declaration), problems };
}

/** What a host says of code it cannot load is in its report too, with what to change. */
async function loadListed(entry: ToolEntry): Promise<ListedTool> {
  const { name } = entry;
  try {
    return { name, tool: await entry.load() };
  } catch (error) {
    return { name, problem: String(error) };
  }
}

async function readDeclaration(dir: string): Promise<Declaration | string> {
  const file = path.join(dir, "package.json");
  const json = await readJson(file);
  const { name, aiwhisperer } = (json ?? {}) as {
    readonly name?: unknown;
    readonly aiwhisperer?: { readonly tools?: unknown };
  };
  if (json === undefined) return `${file} cannot be read: give the folder of the package as packageDir.`;
  if (typeof name !== "string" || !/^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/.test(name))
    return `${file} has no legal "name".`;
  const tools = aiwhisperer?.tools;
  return typeof tools === "string" && tools.endsWith(".json") ? { name, tools } : { name };
}

/** Hosts read it when options are configured; discovery has said by then what is wrong with the manifest. */
async function readOptionsSchema(dir: string, { tools }: Declaration): Promise<JsonSchema | undefined> {
  if (tools === undefined) return undefined;
  const manifest = (await readJson(path.join(dir, tools))) as { readonly optionsSchema?: JsonSchema } | undefined;
  return manifest?.optionsSchema;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
