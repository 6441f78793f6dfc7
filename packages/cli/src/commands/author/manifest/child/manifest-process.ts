/** Runs in a process of its own: imports a built module and makes its manifest, so that what an import does ends with the process. */
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { AiwError } from "@aiw/core";
import { renderManifest, type ManifestOptions } from "@aiw/core/node";
import type { ManifestAnswer, ManifestRequest, ModuleNames } from "../manifest-message.ts";

/** This process, and what the module started: it leads a group of its own where there are groups. */
const GROUP = process.platform === "win32" ? process.pid : -process.pid;
/** It runs beside the module: an endless loop there does not keep the process from ending. */
const WATCHDOG = `const end = () => process.kill(${GROUP}, "SIGKILL");
setTimeout(end, require("node:worker_threads").workerData);
setInterval(() => { if (process.ppid !== ${process.ppid}) end(); }, 500);`;

// The channel belongs to this file: what a module sends would pass for an answer.
const send = process.send?.bind(process);
process.once("message", (request: ManifestRequest) => void answer(request));
// Whoever asked is gone, and ends nothing any more.
process.once("disconnect", () => process.kill(GROUP, "SIGKILL"));
Object.assign(process, { send: undefined });

async function answer({ options, deadlineMs }: ManifestRequest): Promise<void> {
  new Worker(WATCHDOG, { eval: true, workerData: deadlineMs, execArgv: [], env: {} }).unref();
  const told = await make(options);
  send?.(told, undefined, {}, () => end());
}

async function make(options: ManifestOptions): Promise<ManifestAnswer> {
  try {
    const manifest = await renderManifest(options);
    return { kind: "made", manifest, ...(await readNames(options, toolExports(manifest.text))) };
  } catch (error) {
    const { message, code = "manifest_not_writable", fix } = AiwError.is(error) ? error : { message: String(error) };
    return { kind: "failed", code, message, ...(fix !== undefined && { fix }), ...(await readNames(options, [])) };
  }
}

function toolExports(text: string): readonly (string | undefined)[] {
  const { tools } = JSON.parse(text) as { readonly tools: readonly { readonly export?: string }[] };
  return tools.map((tool) => tool.export);
}

/** A module that was imported is not run again; one that cannot be has no names. */
async function readNames(
  { packageDir, module }: ManifestOptions,
  tools: readonly (string | undefined)[],
): Promise<ModuleNames> {
  try {
    const exports = (await import(pathToFileURL(path.resolve(packageDir, module)).href)) as Record<string, unknown>;
    const names = Object.keys(exports);
    const isFunction = (name: string): boolean => typeof exports[name] === "function" && !tools.includes(name);
    return { exports: names, functions: names.filter(isFunction) };
  } catch {
    return { exports: [], functions: [] };
  }
}

/** Timers and sockets of the module do not keep the process. */
function end(): void {
  process.exit(0);
}
