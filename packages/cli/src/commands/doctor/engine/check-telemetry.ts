import { AiwError } from "@aiw/core";
import { resolveSecrets } from "@aiw/core/node";
import type { HostCheck } from "../inspect-host.ts";
import type { ProjectEngine } from "./project-engine.ts";

/** Checks who can read what telemetry tells, and that the secrets it sends are there. */
export function checkTelemetry({ config, environment }: ProjectEngine): HostCheck[] {
  const { otlp, prometheus } = config.extensions?.telemetry ?? {};
  return [
    ...(prometheus?.host === undefined || isLoopback(prometheus.host) ? [] : [openToOthers(prometheus.host)]),
    ...(otlp === undefined ? [] : [...checkEndpoint(otlp.endpoint), ...checkHeaders(otlp.headers, environment)]),
  ];
}

function openToOthers(host: string): HostCheck {
  return {
    name: "telemetry",
    level: "warning",
    message: `metrics are offered at ${host}: other machines can read names of tools, and how often and how well they are called, without a password`,
    fix: "Leave extensions.telemetry.prometheus.host out for this machine alone, or let a firewall say who may read.",
  };
}

function checkEndpoint(endpoint: string): HostCheck[] {
  const url = URL.parse(endpoint);
  if (url === null)
    return [
      {
        name: "telemetry",
        level: "error",
        message: `extensions.telemetry.otlp.endpoint is no address: ${endpoint}`,
        fix: "Write one like https://collector.example.com:4318.",
      },
    ];
  if (url.protocol === "https:" || isLoopback(url.hostname)) return [];
  return [
    {
      name: "telemetry",
      level: "warning",
      message: `spans, metrics and the headers with them go to ${url.host} as plain text`,
      fix: "Use an https address for extensions.telemetry.otlp.endpoint.",
    },
  ];
}

function checkHeaders(headers: unknown, environment: ProjectEngine["environment"]): HostCheck[] {
  try {
    resolveSecrets({ extensions: { telemetry: { otlp: { headers } } } }, environment);
    return [];
  } catch (error) {
    if (!AiwError.is(error)) throw error;
    const { message, fix } = error;
    return [{ name: "telemetry", level: "error", message, ...(fix !== undefined && { fix }) }];
  }
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/iu.test(host);
}
