import type { AiwConfig } from "../../config/aiw-config.ts";
import { toShownText } from "../../register/create-finding.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import type { ProjectConfig } from "./hold-config.ts";
import { readConfigFile } from "./read-config-file.ts";

export type { ProjectConfig } from "./hold-config.ts";

/** What a host says in code. */
export interface ProjectConfigOptions {
  /** Checked already; it needs nobody's trust. */
  readonly config?: AiwConfig;
  /** The project's name, for findings. */
  readonly name?: string | undefined;
}

/**
 * Reads the project's `aiw.config.json` and lays the host's configuration over what of it holds.
 * @throws AiwError `config_invalid` for a file that cannot be read or is wrong, and for toolsets that inherit from nothing or themselves.
 */
export async function readProjectConfig(
  projectDir: string | undefined,
  { config: code, name }: ProjectConfigOptions,
  ports: DiscoveryPorts,
): Promise<ProjectConfig> {
  const found = projectDir === undefined ? undefined : await readConfigFile(projectDir, ports);
  if (found === undefined && code === undefined) return { config: {}, own: {}, waiting: [], findings: [] };
  // Most projects configure nothing, and need none of the tables.
  const { holdConfig } = await import("./hold-config.ts");
  const project =
    found && projectDir !== undefined ? { dir: projectDir, name: toShownText(name ?? projectDir), found } : undefined;
  return holdConfig(code ?? {}, project, ports);
}
