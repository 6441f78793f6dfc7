import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The copy of this package that is running. */
export interface RunningCore {
  readonly version: string;
  /** With links followed. */
  readonly dir: string;
}

let running: { readonly value: RunningCore | undefined } | undefined;

/** The version of this package; undefined inside a bundle, where its package.json is not beside the code. */
export function readCoreVersion(): string | undefined {
  return readRunningCore()?.version;
}

/** Version and folder of this package; undefined inside a bundle. */
export function readRunningCore(): RunningCore | undefined {
  running ??= { value: read() };
  return running.value;
}

function read(): RunningCore | undefined {
  try {
    const file = new URL("../../package.json", import.meta.url);
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown; version?: unknown };
    if (name !== "@aiw/core" || typeof version !== "string") return undefined;
    return { version, dir: realpathSync.native(fileURLToPath(new URL(".", file))) };
  } catch {
    return undefined;
  }
}
