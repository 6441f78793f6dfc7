import { resolve } from "node:path";
import type { AiwConfig } from "@aiw/core";
import type { ExtensionHost } from "@aiw/executor";
import { createLogger } from "./create-logger.ts";
import { logging, type LoggingExtension } from "./logging.ts";

/** The settings of `extensions.logging`. */
export type LoggingSettings = NonNullable<NonNullable<AiwConfig["extensions"]>["logging"]>;

/**
 * Makes the extension that `extensions.logging` turns on; its `log` serves the executor and its tools too.
 * @throws AiwError `extension_unavailable` where pino is not installed.
 */
export async function configure(
  { level, file }: LoggingSettings,
  { projectDir }: Pick<ExtensionHost, "projectDir">,
): Promise<LoggingExtension> {
  const { logger, close } = await createLogger({
    ...(level !== undefined && { level }),
    ...(file !== undefined && { file: resolve(projectDir, file) }),
  });
  return logging({ name: "extensions.logging", logger, close });
}
