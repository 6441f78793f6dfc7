import { ToolError } from "../errors/tool-error.ts";
import type { FileSystemPort } from "./file-system-port.ts";
import type { HeldEntry } from "./held-entry.ts";
import { foldName } from "./resolve-path.ts";

const KERNEL_FOLDERS: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);

/** File system types whose files are the kernel speaking; from Linux `magic.h`. */
const KERNEL_VOLUMES: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x1cd1, // devpts
  0x73636673, // securityfs
  0x62656570, // configfs
  0xcafe4a11, // bpf
]);

/**
 * Refuses `/proc`, `/sys` and `/dev` inside any root (SEC-FS-5).
 * @throws ToolError `protected_path`.
 */
export function refuseKernelFolder(names: readonly string[], platform: NodeJS.Platform, shown: string): void {
  const top = names[0];
  if (platform === "win32" || top === undefined) return;
  if (KERNEL_FOLDERS.has(platform === "darwin" ? foldName(top) : top)) throw kernelFolder(shown);
}

/** The disk to ask, and the system it belongs to. */
interface Disk {
  readonly fs: FileSystemPort;
  readonly platform: NodeJS.Platform;
}

/**
 * Refuses the kernel's own volumes wherever else they are mounted; called where a path crosses into another volume.
 * @throws ToolError `protected_path`.
 */
export async function refuseKernelVolume(disk: Disk, entry: HeldEntry, shown: string): Promise<void> {
  if (disk.platform !== "linux" || entry.stat.isSymbolicLink()) return;
  const { type } = await disk.fs.statfs(entry.reach);
  if (KERNEL_VOLUMES.has(type)) throw kernelFolder(shown);
}

function kernelFolder(shown: string): ToolError {
  return new ToolError("protected_path", `The kernel's folders (/proc, /sys, /dev) hold no files for tools: ${shown}`);
}
