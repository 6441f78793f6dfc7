import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { readTarball } from "./read-tarball.ts";
import { ROOT, runCommand, runTool } from "./run-command.ts";
import type { CheckOutcome } from "./check-outcome.ts";

/** A published package as a stranger receives it. */
interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
  /** False when `exports` offers nothing to import, as for a command. */
  readonly importable: boolean;
}

/** Judges every tarball with publint and for what must never be shipped. */
export function checkPackedPackages(): Promise<CheckOutcome> {
  return withPackedPackages(async ({ name, tarball }) => {
    const bytes = readFileSync(tarball);
    const complaints = findUnshippable(bytes);
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages, pkg } = await publint({ pack: { tarball: data }, strict: true });
    for (const message of messages) {
      complaints.push(`publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
    }
    return complaints.map((complaint) => `${name}: ${complaint}`);
  });
}

/** Resolves every tarball's types as ESM consumers on several module settings do. */
export function checkPackedTypes(): Promise<CheckOutcome> {
  return withPackedPackages(async ({ name, tarball, importable }) => {
    if (!importable) return [];
    const args = [tarball, "--profile", "esm-only", "--no-color", "--no-emoji"];
    const outcome = await runTool("attw", args, { output: "capture" });
    return outcome.ok ? [] : [`${name}:\n${outcome.output}`];
  });
}

/** Packs each published package into a folder that is removed afterwards. */
async function withPackedPackages(judge: (packed: PackedPackage) => Promise<string[]>): Promise<CheckOutcome> {
  const destination = mkdtempSync(path.join(tmpdir(), "aiw-pack-"));
  const complaints: string[] = [];
  try {
    for (const file of globSync("{packages,plugins}/*/package.json", { cwd: ROOT }).sort()) {
      const manifest = JSON.parse(readFileSync(path.join(ROOT, file), "utf8")) as PackageManifest;
      if (manifest.private === true) continue;
      const packed = await pack(path.join(ROOT, path.dirname(file)), manifest, destination);
      complaints.push(...(typeof packed === "string" ? [packed] : await judge(packed)));
    }
  } finally {
    rmSync(destination, { recursive: true, force: true });
  }
  return { status: complaints.length === 0 ? "passed" : "failed", output: complaints.join("\n") };
}

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** npm would leave `workspace:` and `catalog:` in the manifest, so pnpm packs. */
async function pack(folder: string, manifest: PackageManifest, destination: string): Promise<PackedPackage | string> {
  const outcome = await runCommand("pnpm", ["pack", "--pack-destination", destination], {
    output: "capture",
    cwd: folder,
  });
  const flat = manifest.name.replace("@", "").replace("/", "-");
  const tarball = path.join(destination, `${flat}-${manifest.version}.tgz`);
  if (!outcome.ok || !existsSync(tarball)) return `${manifest.name}: could not be packed\n${outcome.output}`;
  const importable = Object.keys(manifest.exports ?? {}).some((key) => key !== "./package.json");
  return { name: manifest.name, tarball, importable };
}

/** Names what a tarball lacks and what it must not hold. */
function findUnshippable(tarball: Uint8Array): string[] {
  const files = readTarball(tarball);
  const complaints: string[] = [];
  for (const name of files.keys()) {
    if (/\.test(?:-d)?\.|__fixtures__|\.tsbuildinfo$/u.test(name))
      complaints.push(`ships ${name}; keep it out by \`files\``);
  }
  for (const name of ["package.json", "README.md", "LICENSE"]) {
    if (!files.has(name)) complaints.push(`does not ship ${name}`);
  }
  const manifestText = files.get("package.json") ?? "{}";
  const protocol = /"(?:workspace|catalog|link|file):[^"]*"/u.exec(manifestText);
  if (protocol !== null) complaints.push(`its manifest names ${protocol[0]}, which no registry resolves`);
  const declaration = (JSON.parse(manifestText) as { aiwhisperer?: { tools?: unknown } }).aiwhisperer;
  if (typeof declaration?.tools === "string" && !files.has(declaration.tools.replace(/^\.\//u, ""))) {
    complaints.push(`declares ${declaration.tools} but does not ship it`);
  }
  return complaints;
}
