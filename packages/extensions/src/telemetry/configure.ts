import type { AiwConfig } from "@aiw/core";
import { resolveSecrets } from "@aiw/core/node";
import type { ConfigureExtension } from "@aiw/executor";
import { telemetry } from "./telemetry.ts";
import type { TelemetryOptions } from "./telemetry-options.ts";

/** What `extensions.telemetry` of the configuration says. */
export type TelemetrySettings = NonNullable<NonNullable<AiwConfig["extensions"]>["telemetry"]>;

/** Makes the extension as the configuration says; secrets are read from the environment. */
export const configure: ConfigureExtension<TelemetrySettings> = async (settings) => {
  // From the root, so that what is not set is named by its place in the file.
  resolveSecrets({ extensions: { telemetry: settings } }, process.env);
  return telemetry({ ...(resolveSecrets(settings, process.env) as TelemetryOptions), name: "extensions.telemetry" });
};
