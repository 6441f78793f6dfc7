import { resolve } from "node:path";
import { AiwError, type AiwConfig } from "@aiw/core";
import type { ExtensionHost } from "@aiw/executor";
import { createLogger } from "./create-logger.ts";
import { logging, type LoggingExtension } from "./logging.ts";

/** The settings of `extensions.logging`. */
export type LoggingSettings = NonNullable<NonNullable<AiwConfig["extensions"]>["logging"]>;

/**
 * Makes the extension that `extensions.logging` turns on; its `log` serves the executor and its tools too.
 * @throws AiwError `extension_unavailable` where pino is not installed, `config_invalid` for a file that cannot be opened.
 */
export async function configure(
  { level, file }: LoggingSettings,
  { projectDir }: Pick<ExtensionHost, "projectDir">,
): Promise<LoggingExtension> {
  const { logger, close } = await createLogger({
    ...(level !== undefined && { level }),
    ...(file !== undefined && { file: resolve(projectDir, file) }),
  }).catch(nameKey);
  return logging({ name: "extensions.logging", logger, close });
}

/** Whoever reads it wrote a configuration, and is told the key. */
function nameKey(error: unknown): never {
  if (!AiwError.is(error) || error.details?.["file"] === undefined) throw error;
  const { code, message, fix, cause } = error;
  const pointer = "/extensions/logging/file";
  throw new AiwError(code, `${pointer}: ${message}`, {
    ...(fix !== undefined && { fix }),
    cause,
    details: { pointer },
  });
}
