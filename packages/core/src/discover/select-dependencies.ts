import { toPointer } from "../schema/json-pointer.ts";
import { compareText, createFinding, quote, toShownText } from "../register/create-finding.ts";
import type { Finding } from "../register/discovery-report.ts";
import { createSelection } from "../register/match-tool.ts";
import { nearestNames } from "../schema/nearest-names.ts";
import { isPackageKey } from "../config/package-key.ts";
import type { AiwConfig } from "../config/aiw-config.ts";
import type { Environment } from "../config/resolve-secrets.ts";
import type { Project, ProjectDependency } from "./find-project.ts";

/** Dependencies that are looked at, and what was left out before. */
export interface SelectedDependencies {
  /** Sorted by key. */
  readonly keys: readonly ProjectDependency[];
  readonly rejected: readonly Finding[];
  readonly missing: readonly Finding[];
  readonly notEnabled: readonly Finding[];
}

/** Applies configuration and `AIWHISPERER_PLUGINS` (a comma list; empty means none) before anything is opened. */
export function selectDependencies(
  project: Project,
  config: AiwConfig,
  environment: Environment,
): SelectedDependencies {
  const known = nameCandidates(project, config);
  const selection = createSelection(config.tools);
  const disabled = findDisabled([...known.keys()], config);
  const allowed = [...known.values()].filter(({ key }) => !disabled.has(key));
  const only = readPluginList(environment["AIWHISPERER_PLUGINS"]);
  // Opening a package that nothing enables would tell nobody anything.
  const wanted = allowed.filter(({ key }) => selection.isPackageWanted(key));
  const keys = wanted.filter(({ key }) => only === undefined || only.has(key));
  const leftOut = wanted.length - keys.length;
  return {
    keys,
    rejected: project.illegalKeys.map((key) => toIllegal(key, project)),
    missing: [...(only ?? [])]
      .filter((key) => !known.has(key) && key !== project.name)
      .map((key) => toUnknown(key, project)),
    notEnabled: [
      ...[...disabled].map(([key, pattern]) => toDisabled(key, pattern)),
      ...(allowed.length > wanted.length ? [toNotEnabled(project, allowed.length - wanted.length)] : []),
      ...(leftOut > 0 && only !== undefined ? [toFiltered(project, only, leftOut)] : []),
      ...checkOwn(project, config, only),
      ...checkDevelopment(project, known),
    ],
  };
}

/** The dependencies and what configuration names beside them, sorted by key. */
function nameCandidates({ name, dependencies }: Project, { plugins }: AiwConfig): Map<string, ProjectDependency> {
  const known = new Map(dependencies.map((dependency) => [dependency.key, dependency]));
  const added = Object.keys(plugins ?? {}).filter((key) => !known.has(key) && key !== name);
  if (added.length === 0) return known;
  for (const key of added) known.set(key, { key, range: undefined, optional: false, isConfiguredOnly: true });
  return new Map([...known].toSorted(([a], [b]) => compareText(a, b)));
}

/** True unless configuration or environment switches a package off. */
export function isEnabled(key: string, config: AiwConfig, environment: Environment): boolean {
  if (!createSelection(config.tools).isPackageWanted(key)) return false;
  return readPluginList(environment["AIWHISPERER_PLUGINS"])?.has(key) ?? true;
}

/** True when the package.json of a project declares tools of its own. */
export function declaresTools({ manifest }: Project): boolean {
  return Object.hasOwn(manifest, "aiwhisperer");
}

/** What switches off the tools of the project itself is said like that of a dependency. */
function checkOwn(project: Project, config: AiwConfig, only: ReadonlySet<string> | undefined): Finding[] {
  const { name } = project;
  if (name === undefined || !isPackageKey(name) || !declaresTools(project)) return [];
  const pattern = findDisabled([name], config).get(name);
  if (pattern !== undefined) return [toDisabled(name, pattern)];
  if (!createSelection(config.tools).isPackageWanted(name)) return [toNotAmong(name, "tools.enabled")];
  return only === undefined || only.has(name) ? [] : [toNotAmong(name, "AIWHISPERER_PLUGINS")];
}

/** Production leaves out what the project named for development. */
function checkDevelopment(project: Project, known: ReadonlyMap<string, unknown>): Finding[] {
  const named = Object.keys((project.manifest["devDependencies"] ?? {}) as object);
  const leftOut = named.filter((key) => isPackageKey(key) && !known.has(key)).length;
  if (leftOut === 0) return [];
  const what = leftOut === 1 ? "1 development dependency is" : `${leftOut} development dependencies are`;
  return [
    createFinding({
      code: "disabled_by_config",
      package: project.name ?? project.dir,
      reason: `${what} not looked at in production.`,
      fix: "Move what is needed to dependencies; or unset NODE_ENV, or pass { production: false }.",
    }),
  ];
}

/** Packages that are switched off, each with the first pattern that means it. */
function findDisabled(keys: readonly string[], { tools }: AiwConfig): ReadonlyMap<string, string> {
  const disabled = new Map<string, string>();
  for (const pattern of tools?.disabled ?? []) {
    const selection = createSelection({ disabled: [pattern] });
    for (const key of keys) if (!disabled.has(key) && !selection.isPackageWanted(key)) disabled.set(key, pattern);
  }
  return new Map([...disabled].toSorted(([a], [b]) => compareText(a, b)));
}

function readPluginList(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  return new Set(
    text
      .split(",")
      .map((key) => key.trim())
      .filter((key) => key !== ""),
  );
}

function toIllegal(key: string, project: Project): Finding {
  return createFinding({
    code: "dependency_name_invalid",
    package: quote(key),
    dir: project.dir,
    reason: `${quote(key)} is no package name; nothing is looked up for it.`,
    fix: `Remove it from ${project.dir}/package.json.`,
  });
}

function toUnknown(key: string, project: Project): Finding {
  const nearest = nearestDependency(key, project);
  return createFinding({
    code: "not_installed",
    package: quote(key).slice(1, -1),
    reason: `AIWHISPERER_PLUGINS names ${quote(key)}, which is no dependency of ${project.dir}.`,
    fix: nearest === undefined ? "Remove it from AIWHISPERER_PLUGINS, or correct it." : `Did you mean ${nearest}?`,
  });
}

/**
 * Says of a package that only configuration names that nothing has it. Its name may be misspelt, and somebody may have published a
 * package for whoever misspells it: no command that would install it is ever given.
 */
export function toUnknownPlugin(key: string, project: Project): Finding {
  const pointer = toPointer(["plugins", key]);
  const nearest = nearestDependency(key, project);
  return createFinding({
    code: "not_installed",
    package: key,
    pointer,
    reason: `The configuration names ${key} under plugins, which is neither a dependency of ${project.dir} nor installed.`,
    fix:
      nearest === undefined ? `Remove ${pointer} from the configuration, or correct it.` : `Did you mean ${nearest}?`,
  });
}

function nearestDependency(key: string, { name, dependencies }: Project): string | undefined {
  const known = dependencies.map((dependency) => dependency.key);
  return nearestNames(key, name === undefined ? known : [...known, name], 1)[0];
}

function toDisabled(key: string, pattern: string): Finding {
  return createFinding({
    code: "disabled_by_config",
    package: key,
    reason: `${key} is switched off by tools.disabled.`,
    fix: `Remove ${JSON.stringify(pattern)} from tools.disabled to offer its tools.`,
  });
}

function toNotAmong(name: string, list: string): Finding {
  return createFinding({
    code: "disabled_by_config",
    package: name,
    reason: `The project's own tools are not among ${list}.`,
    fix: `Add ${JSON.stringify(name)} to ${list} to offer them.`,
  });
}

function toNotEnabled(project: Project, leftOut: number): Finding {
  return createFinding({
    code: "disabled_by_config",
    package: toShownText(project.name ?? project.dir),
    reason: `tools.enabled reaches nothing of ${leftOut} ${leftOut === 1 ? "dependency, which is" : "dependencies, which are"} not looked at.`,
    fix: "Add what is missing to tools.enabled, or remove tools.enabled to look at every dependency.",
  });
}

function toFiltered(project: Project, only: ReadonlySet<string>, leftOut: number): Finding {
  const named = only.size === 0 ? "is empty" : `names ${only.size} ${only.size === 1 ? "package" : "packages"}`;
  return createFinding({
    code: "disabled_by_config",
    package: toShownText(project.name ?? project.dir),
    reason: `AIWHISPERER_PLUGINS ${named}: ${leftOut} ${leftOut === 1 ? "dependency is" : "dependencies are"} not looked at.`,
    fix: "Unset AIWHISPERER_PLUGINS to look at every dependency.",
  });
}
