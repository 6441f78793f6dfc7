import { isAbsolute, join } from "node:path";
import { AiwError, type AiwConfig } from "@aiw/core";
import { resolveSecrets } from "@aiw/core/node";
import type { ConfigureExtension } from "@aiw/executor";
import { assertWritten } from "./assert-options.ts";
import { audit, type AuditExtension } from "./audit.ts";
import type { AuditSink } from "./audit-sink.ts";
import { databaseSink } from "./database/database-sink.ts";
import { fileSink } from "./file/file-sink.ts";

/** The settings of `extensions.audit`. */
export type AuditSettings = NonNullable<NonNullable<AiwConfig["extensions"]>["audit"]>;

/** Where records go unless the settings say it. */
const DEFAULT_FILE = ".aiw/audit.jsonl";

/** Makes the extension that `extensions.audit` turns on; a relative path starts at the project and stays in it. */
export const configure: ConfigureExtension<AuditSettings> = (settings, { projectDir, log }): AuditExtension => {
  const { onFailure = "block", key, arguments: recorded } = settings;
  return audit({
    name: "extensions.audit",
    sink: toSink(settings, { projectDir, onFailure, key: readKey(key) }),
    onFailure,
    ...(recorded !== undefined && { arguments: recorded }),
    ...(log !== undefined && { log }),
  });
};

/** Where the settings say that records are: an absolute path. */
export function locateTrail({ file, database }: AuditSettings, projectDir: string): string {
  const path = database ?? file ?? DEFAULT_FILE;
  return isAbsolute(path) ? path : join(projectDir, path);
}

/** Reads the key from the environment. @throws AiwError `config_invalid` when it is not set. */
export function readKey(reference: AuditSettings["key"]): string | undefined {
  if (reference === undefined) return undefined;
  // From the root, so that what is not set is named by its place in the file.
  resolveSecrets({ extensions: { audit: { key: reference } } }, process.env);
  return String(resolveSecrets(reference, process.env));
}

interface Sealing {
  readonly projectDir: string;
  readonly onFailure: "block" | "warn";
  readonly key: string | undefined;
}

function toSink(settings: AuditSettings, { projectDir, onFailure, key }: Sealing): AuditSink {
  const { file, database, sync = onFailure === "block", maxBytes, maxFiles } = settings;
  if (file !== undefined && database !== undefined)
    throw new AiwError("config_invalid", "extensions.audit names a file and a database.", { fix: "Leave one out." });
  assertWritten("extensions.audit", settings);
  const path = locateTrail(settings, projectDir);
  const isRelative = !isAbsolute(database ?? file ?? DEFAULT_FILE);
  const sealing = { sync, ...(key !== undefined && { key }), ...(isRelative && { within: projectDir }) };
  if (database !== undefined) return databaseSink(path, sealing);
  return fileSink(path, {
    ...sealing,
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxFiles !== undefined && { maxFiles }),
  });
}
