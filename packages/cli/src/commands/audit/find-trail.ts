import { resolve } from "node:path";
import { AiwError, type ToolRegistry } from "@aiw/core";
import { locateTrail, openTrail, type AuditSettings, type TrailSource } from "@aiw/extensions/audit";
import type { Invocation } from "../../command.ts";
import { oneLine } from "../../output/one-line.ts";
import { UsageError } from "../../usage-error.ts";
import { discoverProject } from "../discover-project.ts";

/** The record of calls that is meant. */
export interface FoundTrail {
  readonly path: string;
  /** Absent where nothing is recorded yet. */
  readonly source: TrailSource | undefined;
  /** What sealed it, where that is known. */
  readonly key: string | undefined;
}

/**
 * Finds the record: the file that is named, else the configured one.
 * @throws AiwError `audit_not_configured`, and what discovery says of the project.
 */
export async function findTrail({ io, cwd, flags }: Invocation): Promise<FoundTrail> {
  const { file, "key-env": variable } = flags;
  if (typeof file === "string") {
    const path = resolve(cwd, file);
    const source = await openTrail(path);
    if (source === undefined) throw new UsageError(`--file: there is no ${path}.`);
    return { path, source, key: readVariable(variable, io.environment) };
  }
  const registry = await discoverProject({ environment: io.environment }, { projectDir: cwd });
  const settings = registry.config.extensions?.audit;
  if (settings === undefined) throw sayNotConfigured(registry);
  const path = locateTrail(settings, registry.report.project.dir);
  return { path, source: await openTrail(path), key: readKey(settings, variable, io.environment) };
}

function readKey(
  { key }: AuditSettings,
  variable: Invocation["flags"][string],
  environment: Variables,
): string | undefined {
  if (typeof variable === "string") return readVariable(variable, environment);
  // Without its value verifying says what is missing, and queries need none.
  return key === undefined ? undefined : environment[key.$env];
}

type Variables = Invocation["io"]["environment"];

function readVariable(variable: Invocation["flags"][string], environment: Variables): string | undefined {
  if (typeof variable !== "string") return undefined;
  const value = environment[variable];
  if (value === undefined) throw new UsageError(`--key-env: the environment has no ${JSON.stringify(variable)}.`);
  return value;
}

function sayNotConfigured({ report: { project, waiting } }: ToolRegistry): AiwError {
  const place = oneLine(project.dir);
  if (waiting.some(({ parts }) => parts.some((part) => part.startsWith("/extensions/audit"))))
    return new AiwError(
      "audit_not_configured",
      `What aiw.config.json in ${place} says of recording calls waits for trust.`,
      {
        fix: "Look at it: aiw trust. Or name a record: aiw audit --file FILE",
      },
    );
  return new AiwError("audit_not_configured", `No record of calls is configured in ${place}.`, {
    fix: 'Write { "extensions": { "audit": { "file": ".aiw/audit.jsonl" } } } into aiw.config.json, then: aiw trust. Or name a record: aiw audit --file FILE',
  });
}
