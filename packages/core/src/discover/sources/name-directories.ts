import * as path from "node:path";
import type { AiwConfig } from "../../config/aiw-config.ts";
import type { Environment } from "../../config/resolve-secrets.ts";
import type { ToolDirectory } from "./directory.ts";

/** Where directories of tools are named. */
export interface NamedDirectories {
  /** By the host's code. */
  readonly directories?: readonly string[] | undefined;
  readonly environment: Environment;
  /** What holds, whoever wrote it. */
  readonly config: AiwConfig;
  /** What of it the host's code said. */
  readonly hostConfig?: AiwConfig | undefined;
}

/** Puts the directories in their order: code, environment, configuration; says whose word each is. */
export function nameDirectories({
  directories = [],
  environment,
  config,
  hostConfig,
}: NamedDirectories): ToolDirectory[] {
  const listed = (environment["AIWHISPERER_PLUGINS_DIR"] ?? "").split(path.delimiter).filter((dir) => dir !== "");
  const hosts = new Set(hostConfig?.sources?.directories);
  return [
    ...directories.map((dir) => ({ dir, isTrusted: true })),
    // A relative path means whatever project the process stands in.
    ...listed.map((dir) => ({ dir, isTrusted: path.isAbsolute(dir) })),
    ...(config.sources?.directories ?? []).map((dir) => ({ dir, isTrusted: hosts.has(dir) })),
  ];
}

/** True when anybody asks for it: option, `AIWHISPERER_REQUIRE_STATIC` (other than `0` and `false`) or configuration. */
export function isStaticRequired(
  option: boolean | undefined,
  environment: Environment,
  ...configs: readonly (AiwConfig | undefined)[]
): boolean {
  const said = (environment["AIWHISPERER_REQUIRE_STATIC"] ?? "").trim().toLowerCase();
  if (option === true || !["", "0", "false"].includes(said)) return true;
  return configs.some((config) => config?.discovery?.requireStatic === true);
}
