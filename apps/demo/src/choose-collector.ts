import { SetupError, type Environment } from "./choose-model.ts";
import { isWebUrl } from "./parse-arguments.ts";

/** OpenTelemetry's own variable for the address of a collector. */
const VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT";

/** Where spans and metrics are sent, and what may be shown of the address. */
export interface Collector {
  readonly endpoint: string;
  readonly shown: string;
}

/**
 * Takes the collector that the environment names; none without one.
 * @throws SetupError for what is no address.
 */
export function chooseCollector(env: Environment): Collector | undefined {
  const endpoint = env[VARIABLE]?.trim() ?? "";
  if (endpoint === "") return undefined;
  if (!isWebUrl(endpoint))
    throw new SetupError(`${VARIABLE} must be an http or https URL; it is ${JSON.stringify(endpoint)}.`);
  return { endpoint, shown: new URL(endpoint).origin };
}
