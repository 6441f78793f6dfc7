import { AiwError } from "@aiw/core";
import type * as api from "@opentelemetry/api";
import type * as contexts from "@opentelemetry/context-async-hooks";
import type * as prometheus from "@opentelemetry/exporter-prometheus";
import type * as transformer from "@opentelemetry/otlp-transformer";
import type * as resources from "@opentelemetry/resources";
import type * as metrics from "@opentelemetry/sdk-metrics";
import type * as trace from "@opentelemetry/sdk-trace";

/** The part of OpenTelemetry that libraries speak. */
export type OpenTelemetryApi = typeof api;

/** Packages of OpenTelemetry, each loaded when it is needed; replaced in tests. */
export interface Packages {
  api(): Promise<OpenTelemetryApi>;
  trace(): Promise<typeof trace>;
  metrics(): Promise<typeof metrics>;
  resources(): Promise<typeof resources>;
  transformer(): Promise<typeof transformer>;
  prometheus(): Promise<typeof prometheus>;
  contexts(): Promise<typeof contexts>;
}

/** What telemetry is asked to do, as far as it needs packages of its own. */
export type PackageNeed = "otlp" | "prometheus" | "global";

const SDK = ["@opentelemetry/sdk-trace", "@opentelemetry/sdk-metrics", "@opentelemetry/resources"];

const NEEDED: { readonly [Need in PackageNeed]: readonly string[] } = {
  otlp: [...SDK, "@opentelemetry/otlp-transformer"],
  prometheus: [...SDK, "@opentelemetry/exporter-prometheus"],
  global: [...SDK, "@opentelemetry/context-async-hooks"],
};

/** The packages as they are installed. */
export const INSTALLED: Packages = {
  api: () => import("@opentelemetry/api"),
  trace: () => import("@opentelemetry/sdk-trace"),
  metrics: () => import("@opentelemetry/sdk-metrics"),
  resources: () => import("@opentelemetry/resources"),
  transformer: () => import("@opentelemetry/otlp-transformer"),
  prometheus: () => import("@opentelemetry/exporter-prometheus"),
  contexts: () => import("@opentelemetry/context-async-hooks"),
};

/**
 * Loads packages that telemetry is asked to use.
 * @throws AiwError `extension_unavailable` naming the command that installs what is missing.
 */
export async function loadPackages<Loaded>(
  needs: readonly PackageNeed[],
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const names = new Set(["@opentelemetry/api", ...needs.flatMap((need) => NEEDED[need])]);
    throw new AiwError("extension_unavailable", "Telemetry needs packages of OpenTelemetry that are not installed.", {
      fix: `npm install ${[...names].join(" ")}`,
      cause,
    });
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND";
}
