import * as path from "node:path";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import { isAbsent } from "../locate-packages.ts";
import { CONFIG_FILE, readDirectly, type ConfigFile } from "./config-file.ts";

/**
 * Reads a project's `aiw.config.json`; undefined when there is none.
 * @throws AiwError `config_invalid` for a file that cannot be read, is no JSON or says what no key means: it must not count as none (SEC-CFG-1).
 */
export async function readConfigFile(projectDir: string, ports: DiscoveryPorts): Promise<ConfigFile | undefined> {
  const file = path.join(projectDir, CONFIG_FILE);
  const read = readDirectly(file, ports.fs);
  if (isAbsent(read)) return undefined;
  // Most projects have none, and need nothing that judges it.
  const { judgeConfigFile } = await import("./judge-config-file.ts");
  return judgeConfigFile({ file, projectDir, read }, ports);
}
