import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AiwError } from "@aiw/core";
import { createTrustStore, listTools } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";

/** A package of a workspace that has tools. */
export interface MemberWithTools {
  /** Relative to the workspace. */
  readonly name: string;
  readonly tools: number;
}

/** Members that are looked into, and those that are named. */
const MAX_READ = 50;
const MAX_NAMED = 5;

/** Lists the members of a workspace that have tools; nothing where the folder is no workspace. */
export async function listMembers(
  dir: string,
  { environment }: Pick<CliIo, "environment">,
): Promise<MemberWithTools[]> {
  const members: MemberWithTools[] = [];
  for (const name of findMembers(dir)) {
    const tools = await countTools(join(dir, name), environment);
    if (tools > 0) members.push({ name, tools });
    if (members.length === MAX_NAMED) break;
  }
  return members;
}

async function countTools(projectDir: string, environment: CliIo["environment"]): Promise<number> {
  try {
    const trust = createTrustStore({ environment });
    return (await listTools({ projectDir }, { environment, trust })).entries.length;
  } catch (error) {
    // A member that cannot be looked at is no answer to where tools are.
    if (AiwError.is(error)) return 0;
    throw error;
  }
}

function findMembers(dir: string): string[] {
  const patterns = [...readNpmPatterns(dir), ...readPnpmPatterns(dir)].filter(isInside);
  const out = patterns.flatMap((pattern) => (pattern.startsWith("!") ? [pattern.slice(1)] : []));
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const found = globSync(
    wanted.map((pattern) => `${pattern.replace(/\/+$/, "")}/package.json`),
    { cwd: dir, exclude: [...out, "**/node_modules/**", "node_modules/**"] },
  );
  return found
    .map((file) => file.replaceAll("\\", "/").replace(/\/package\.json$/, ""))
    .toSorted()
    .slice(0, MAX_READ);
}

/** A pattern that leaves the folder would make this a walk through somebody's disk. */
function isInside(pattern: string): boolean {
  return !pattern.startsWith("/") && !pattern.split(/[/\\]/).includes("..");
}

function readNpmPatterns(dir: string): string[] {
  const manifest = readJson(join(dir, "package.json"));
  const workspaces = manifest["workspaces"];
  const listed: unknown = Array.isArray(workspaces)
    ? workspaces
    : (Object(workspaces) as Record<string, unknown>)["packages"];
  return Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(file, "utf8"))) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The list under `packages`, as pnpm writes it; a file written otherwise is looked at by nobody, which costs a hint alone. */
function readPnpmPatterns(dir: string): string[] {
  try {
    const text = readFileSync(join(dir, "pnpm-workspace.yaml"), "utf8");
    const list = /^packages:[ \t]*(?:#.*)?\r?\n((?:[ \t]*(?:-.*|#.*)?\r?\n?)*)/m.exec(text)?.[1] ?? "";
    return [...list.matchAll(/^[ \t]*-[ \t]*(["']?)([^"'#\r\n]+)\1/gm)].map(([, , pattern = ""]) => pattern.trim());
  } catch {
    return [];
  }
}
