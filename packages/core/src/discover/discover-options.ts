import type { AiwConfig } from "../config/aiw-config.ts";
import type { CacheWriterFileSystem } from "./cache/cache-writer.ts";
import type { DiscoveryPorts } from "./discovery-ports.ts";
import type { ModuleLoader } from "./load/module-loader.ts";
import type { WatchPort } from "./watch/watch-port.ts";

/** Where to look for tools, and what to do with them. */
export interface DiscoverToolsOptions {
  /** The working directory unless named; the nearest project above it counts. */
  readonly projectDir?: string;
  /** Laid over the project's own configuration. */
  readonly config?: AiwConfig;
  /** Leaves development dependencies out; `NODE_ENV` decides unless named. */
  readonly production?: boolean;
  /** Refuses declarations whose definitions only running code can tell; configuration cannot take it back. */
  readonly requireStatic?: boolean;
  /** Refuses to find tools unless all of them are as `aiw.lock` pins them; configuration cannot take it back. */
  readonly frozen?: boolean;
  /** Also reports tool packages that are installed and not enabled; reads every installed package. */
  readonly inventory?: boolean;
  /** Keeps what was read of installed packages for the next process; `discovery.cache` decides unless named, and is off. */
  readonly cache?: boolean;
  /** Folders of tools, relative ones from the project: the host vouches for their code. */
  readonly directories?: readonly string[];
  /** `warn` lets the first of two equal names win and reports it; `error` refuses, whoever says so. */
  readonly onDuplicate?: "warn" | "error";
}

/** The world discovery works in; tests replace any part. */
export interface DiscoveryWorld extends DiscoveryPorts {
  readonly modules: ModuleLoader;
  readonly watches: WatchPort;
  /** Where a cache is written. */
  readonly cacheDisk?: CacheWriterFileSystem;
}
