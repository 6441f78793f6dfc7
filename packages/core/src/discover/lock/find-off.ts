import type { AiwConfig } from "../../config/aiw-config.ts";
import type { Environment } from "../../config/resolve-secrets.ts";
import type { SourceReport } from "../../register/discovery-report.ts";
import { isRecord } from "../../schema/is-record.ts";
import type { Project } from "../find-project.ts";
import { isEnabled, selectDependencies } from "../select-dependencies.ts";

/** What decides which packages are looked at. */
export interface LookedAt {
  readonly project: Project | undefined;
  readonly config: AiwConfig;
  readonly environment: Environment;
}

/**
 * Finds the packages that the project has and that are off here: switched off, optional and absent, or left out in production.
 * They run nothing, so a lock that pins them goes on holding.
 */
export function findOff(
  keys: Iterable<string>,
  lookedAt: LookedAt,
  reports: readonly Pick<SourceReport, "missing" | "notEnabled">[],
): Set<string> {
  const said = new Set(
    reports.flatMap(({ missing, notEnabled }) => [
      ...missing.filter(({ code }) => code === "optional_absent").map((one) => one.package),
      ...notEnabled
        .filter(({ code, tool }) => code === "disabled_by_config" && tool === undefined)
        .map((one) => one.package),
    ]),
  );
  const isUnseen = toUnseen(lookedAt);
  return new Set([...keys].filter((key) => said.has(key) || isUnseen(key)));
}

/** Recognises what package.json names and discovery does not look at. */
function toUnseen({ project, config, environment }: LookedAt): (key: string) => boolean {
  if (project === undefined) return () => false;
  const { manifest, name } = project;
  const maps = ["dependencies", "optionalDependencies", "devDependencies"].map((map) => manifest[map]).filter(isRecord);
  const selected = new Set(selectDependencies(project, config, environment).keys.map(({ key }) => key));
  return (key) => {
    if (key === name) return !isEnabled(key, config, environment);
    return !selected.has(key) && maps.some((map) => Object.hasOwn(map, key));
  };
}
