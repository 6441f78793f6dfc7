import * as fs from "node:fs";
import { createTrustStore } from "../config/trust/create-trust-store.ts";
import type { TrustStore } from "../config/trust/trust-store.ts";
import type { Environment } from "../config/resolve-secrets.ts";
import { findPnpProject } from "./locate/find-pnp-project.ts";
import type { PnpPort } from "./locate/pnp-project.ts";

/** The disk operations discovery uses, all of them synchronous: a pool of promises is slower at every size. */
export interface DiscoveryFileSystem extends Pick<
  typeof fs,
  "closeSync" | "lstatSync" | "opendirSync" | "openSync" | "readdirSync" | "readSync" | "statSync"
> {
  realpathSync(path: string): string;
}

/** Time as discovery sees it. */
export interface DiscoveryClock {
  /** Milliseconds from any origin. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

/** The world discovery reads; tests replace any part. */
export interface DiscoveryPorts {
  readonly fs: DiscoveryFileSystem;
  readonly clock: DiscoveryClock;
  readonly environment: Environment;
  /** What a person trusts. */
  readonly trust: Pick<TrustStore, "isTrusted"> & Partial<Pick<TrustStore, "problem">>;
  /** Yarn's resolver, where its hook is active. */
  readonly pnp: PnpPort;
}

/** The real disk, clock and environment. */
export const nodePorts: DiscoveryPorts = {
  fs: {
    // Named one by one: taking all of them would load streams and promises of files at every start.
    closeSync: fs.closeSync,
    lstatSync: fs.lstatSync,
    opendirSync: fs.opendirSync,
    openSync: fs.openSync,
    readdirSync: fs.readdirSync,
    readSync: fs.readSync,
    statSync: fs.statSync,
    // The native form is one call where the other asks for every folder on the way.
    realpathSync: (path) => fs.realpathSync.native(path),
  },
  clock: {
    // `performance` would be loaded for it.
    now: () => {
      const [seconds, nanoseconds] = process.hrtime();
      return seconds * 1e3 + nanoseconds / 1e6;
    },
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  },
  environment: process.env,
  trust: {
    isTrusted: (dir, hash) => createTrustStore().isTrusted(dir, hash),
    problem: (dir) => createTrustStore().problem(dir),
  },
  pnp: { find: findPnpProject },
};

/** The code of a system error, or its text. */
export function toErrno(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}
