import type { ProtectedEntry } from "./protected-entries.ts";

/** A process that is ready to be spawned under a policy. */
export interface Confined {
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** Where the confining program itself starts. */
  readonly cwd: string;
  /** False where nothing of the operating system holds the process. */
  readonly sandboxed: boolean;
  /** True where the kernel keeps the bound of the policy on memory. */
  readonly memoryBounded: boolean;
  /** Entries that must stand before the process starts, made empty and taken away again by whoever spawns it. */
  readonly placeholders: readonly ProtectedEntry[];
}
