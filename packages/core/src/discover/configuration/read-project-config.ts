import type { AiwConfig } from "../../config/aiw-config.ts";
import { mergeConfigs } from "../../config/merge-configs.ts";
import { splitConfig, type WideningPart } from "../../config/split-config.ts";
import type { TrustRequest } from "../../config/trust/trust-request.ts";
import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import { assertToolsets } from "../../register/toolsets.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import { CONFIG_FILE, readConfigFile, type ConfigFile } from "./read-config-file.ts";

/** The configuration that holds in a project (SEC-CFG-2), and what of its file does not. */
export interface ProjectConfig {
  /** Code's word over the file's. */
  readonly config: AiwConfig;
  /** What holds of the project's own file: all of it when it is trusted, else what narrows. */
  readonly own: AiwConfig;
  /** Absent when there is none. */
  readonly file?: string;
  readonly waiting: readonly TrustRequest[];
  /** Tool names whose preference is among what waits. */
  readonly undecided?: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

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
  { config: code = {}, name }: ProjectConfigOptions,
  ports: DiscoveryPorts,
): Promise<ProjectConfig> {
  const found = projectDir === undefined ? undefined : await readConfigFile(projectDir, ports);
  const held =
    found === undefined || projectDir === undefined
      ? NOTHING
      : await holdUntrustedParts(found, { dir: projectDir, name: name ?? projectDir }, ports);
  const config = mergeConfigs(code, held.own);
  if (config.toolsets !== undefined) assertToolsets(config.toolsets);
  return { config, ...held, ...(found && { file: found.file }) };
}

type Held = Pick<ProjectConfig, "own" | "waiting" | "undecided" | "findings">;

const NOTHING: Held = { own: {}, waiting: [], findings: [] };

interface NamedProject {
  readonly dir: string;
  readonly name: string;
}

async function holdUntrustedParts(found: ConfigFile, project: NamedProject, ports: DiscoveryPorts): Promise<Held> {
  const whole = nameRules(found.config);
  const { widening, parts } = splitConfig(found.config);
  if (parts.length === 0) return { ...NOTHING, own: whole };
  // Hashing costs a module that most projects never need.
  const { hashContent } = await import("../../config/trust/hash-content.ts");
  const dir = ports.fs.realpathSync(project.dir);
  const hash = hashContent(widening);
  const problem = ports.trust.problem?.(dir);
  if (problem === undefined && ports.trust.isTrusted(dir, hash)) return { ...NOTHING, own: whole };
  return {
    own: splitConfig(whole).narrowing,
    ...(widening.tools?.prefer && { undecided: new Set(Object.keys(widening.tools.prefer)) }),
    waiting: [{ subject: "configuration", dir, hash, parts: parts.map(({ text }) => text) }],
    findings: [
      toWaitingFinding(found.file, project, parts),
      ...(problem === undefined
        ? []
        : [
            createFinding({
              code: "trust_store_invalid",
              package: project.name,
              reason: `Nothing is trusted: ${toShownText(problem.reason)}`,
              fix: problem.fix,
            }),
          ]),
    ],
  };
}

/** Rules of the file say so in their names, wherever they end up in the list: none can pose as the host's. */
function nameRules(config: AiwConfig): AiwConfig {
  const { policy } = config;
  if (policy?.rules === undefined) return config;
  const rules = policy.rules.map((rule, index) => ({
    ...rule,
    id: `${CONFIG_FILE}#${rule.id ?? `/policy/rules/${index}`}`,
  }));
  return { ...config, policy: { ...policy, rules } };
}

function toWaitingFinding(file: string, { dir, name }: NamedProject, parts: readonly WideningPart[]): Finding {
  const shown = parts.slice(0, 5).map(({ pointer }) => toShownText(pointer));
  const more = parts.length > shown.length ? ` and ${parts.length - shown.length} more` : "";
  return createFinding({
    code: "trust_required",
    package: name,
    dir,
    reason: `${file} allows more than it takes away, and nobody has trusted that yet: ${shown.join(", ")}${more}.`,
    fix: "Look at it, then run: aiw trust",
  });
}
