import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** `closed`: nothing another process does between check and use leads outside; `narrowed`: only detected, and mostly. */
export type RaceProtection = "closed" | "narrowed";

/** One directory entry found on the way, kept so that what was checked is what is used. */
export interface HeldEntry extends AsyncDisposable {
  readonly stat: BigIntStats;
  /** Absolute and free of links. */
  readonly realPath: string;
  /** A path that reaches this very object for the operating system; never shown. */
  readonly reach: string;
  /** Such a path for an entry of this directory. */
  child(name: string): string;
  /** Finds an entry without following it; `undefined` when there is none. */
  lookUp(name: string): Promise<HeldEntry | undefined>;
  /** Opens this very object; never blocks. */
  open(flags: number): Promise<FileHandle>;
  /**
   * Checks that the path still leads to this object; nothing to do when races are closed.
   * @throws ToolError `path_changed`.
   */
  confirm(): Promise<void>;
}

/** Holds the directory at a path that has no links; the way in for the roots. */
export type HoldRoot = (realPath: string) => Promise<HeldEntry>;

/** Whether two looks saw one object. */
export function isSameObject(left: BigIntStats, right: BigIntStats): boolean {
  return left.ino === right.ino && left.dev === right.dev && (left.mode & KIND_BITS) === (right.mode & KIND_BITS);
}

const KIND_BITS = 0o170000n;
