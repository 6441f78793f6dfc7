import * as fs from "node:fs";
import { hostname } from "node:os";
import type { Environment } from "../resolve-secrets.ts";

/** The disk operations of the trust store. */
export type TrustFileSystem = Pick<
  typeof fs,
  | "closeSync"
  | "fstatSync"
  | "mkdirSync"
  | "openSync"
  | "readSync"
  | "renameSync"
  | "statSync"
  | "unlinkSync"
  | "writeFileSync"
> & { realpathSync(path: string): string };

/** The world the trust store lives in; tests replace any part. */
export interface TrustPorts {
  readonly fs: TrustFileSystem;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** Who runs this process; undefined where files have no owner that could be asked for. */
  readonly userId: number | undefined;
  readonly processId: number;
  /** The machine that process ids are of. */
  hostName(): string;
  /** True unless it is certain that no such process runs here. */
  isRunning(processId: number): boolean;
  now(): Date;
  wait(milliseconds: number): Promise<void>;
}

/** The real disk, user and clock. */
export const nodeTrustPorts: TrustPorts = {
  fs: {
    // Named one by one: taking all of them would load streams and promises of files at every start.
    closeSync: fs.closeSync,
    fstatSync: fs.fstatSync,
    mkdirSync: fs.mkdirSync,
    openSync: fs.openSync,
    readSync: fs.readSync,
    renameSync: fs.renameSync,
    statSync: fs.statSync,
    unlinkSync: fs.unlinkSync,
    writeFileSync: fs.writeFileSync,
    realpathSync: (path) => fs.realpathSync.native(path),
  },
  environment: process.env,
  platform: process.platform,
  userId: process.geteuid?.(),
  processId: process.pid,
  hostName: hostname,
  isRunning,
  now: () => new Date(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

function isRunning(processId: number): boolean {
  try {
    // Signal 0 asks and does nothing.
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
