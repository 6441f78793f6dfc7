import type { AiwConfig } from "../../config/aiw-config.ts";
import { mergeConfigs } from "../../config/merge-configs.ts";
import { splitConfig, type WideningPart } from "../../config/split-config.ts";
import type { TrustRequest } from "../../config/trust/trust-request.ts";
import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import { assertToolsets } from "../../register/toolsets.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import { toStoreFinding } from "../trust/to-store-finding.ts";
import { CONFIG_FILE, type ConfigFile } from "./config-file.ts";

/** The configuration that holds in a project (SEC-CFG-2), and what of its file does not. */
export interface ProjectConfig {
  /** Code's word over the file's. */
  readonly config: AiwConfig;
  /** What holds of the project's own file: all of it when it is trusted, else what narrows. */
  readonly own: AiwConfig;
  /** Absent when there is none. */
  readonly file?: string;
  readonly waiting: readonly TrustRequest[];
  /** What the configuration that waits gives. */
  readonly widening?: readonly WideningPart[];
  /** Tool names whose preference is among what waits. */
  readonly undecided?: ReadonlySet<string>;
  /** Packages whose options are among what waits. */
  readonly waitingOptions?: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** Whose configuration it is. */
export interface ConfiguredProject {
  readonly dir: string;
  /** For findings. */
  readonly name: string;
  /** What its own file says. */
  readonly found: ConfigFile;
}

/**
 * Lays the host's configuration over what holds of the project's own file.
 * @throws AiwError `config_invalid` for toolsets that inherit from nothing or themselves.
 */
export async function holdConfig(
  code: AiwConfig,
  project: ConfiguredProject | undefined,
  ports: DiscoveryPorts,
): Promise<ProjectConfig> {
  const held = project === undefined ? NOTHING : await holdUntrustedParts(project, ports);
  const config = mergeConfigs(code, held.own);
  if (config.toolsets !== undefined) assertToolsets(config.toolsets);
  return { config, ...held, ...(project && { file: project.found.file }) };
}

type Held = Pick<ProjectConfig, "own" | "waiting" | "widening" | "undecided" | "waitingOptions" | "findings">;

const NOTHING: Held = { own: {}, waiting: [], findings: [] };

async function holdUntrustedParts(project: ConfiguredProject, ports: DiscoveryPorts): Promise<Held> {
  const { found } = project;
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
    ...(widening.plugins && { waitingOptions: new Set(Object.keys(widening.plugins)) }),
    waiting: [{ subject: "configuration", dir, hash, parts: parts.map(({ text }) => text) }],
    widening: parts,
    findings: [
      toWaitingFinding(project, parts),
      ...(problem === undefined ? [] : [toStoreFinding(problem, project.name)]),
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

function toWaitingFinding({ dir, name, found }: ConfiguredProject, parts: readonly WideningPart[]): Finding {
  const shown = parts.slice(0, 5).map(({ pointer }) => toShownText(pointer));
  const more = parts.length > shown.length ? ` and ${parts.length - shown.length} more` : "";
  return createFinding({
    code: "trust_required",
    package: name,
    dir,
    reason: `${found.file} allows more than it takes away, and nobody has trusted that yet: ${shown.join(", ")}${more}.`,
    fix: "Look at it, then run: aiw trust",
  });
}
