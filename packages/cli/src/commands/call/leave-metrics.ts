import type { AiwConfig } from "@aiw/core";
import type { CliIo } from "../../io.ts";
import { printTalk } from "../../output/print-prose.ts";

/**
 * One call is over before anybody reads its metrics, and the port may be that of a host which runs: it takes a free one
 * of this machine in its place, and says so.
 */
export function leaveMetrics({ extensions }: AiwConfig, io: Pick<CliIo, "stderr" | "talkColumns">): AiwConfig {
  const telemetry = extensions?.telemetry;
  if (telemetry?.prometheus === undefined) return {};
  const { host = "127.0.0.1", port = 9464 } = telemetry.prometheus;
  printTalk(io, `metrics   of one call are not offered at ${host}:${port} (extensions.telemetry.prometheus)`);
  return { extensions: { telemetry: { prometheus: { port: 0 } } } };
}
