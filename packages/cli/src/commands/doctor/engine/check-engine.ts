import type { HostCheck } from "../inspect-host.ts";
import { checkApproval } from "./check-approval.ts";
import { checkAudit } from "./check-audit.ts";
import { checkExtensions } from "./check-extensions.ts";
import { checkIsolation } from "./check-isolation.ts";
import { checkLogging } from "./check-logging.ts";
import { checkTelemetry } from "./check-telemetry.ts";
import type { ProjectEngine } from "./project-engine.ts";

/** Checks everything that decides how calls run; nothing is opened or written. */
export async function checkEngine(engine: ProjectEngine): Promise<HostCheck[]> {
  return [
    ...checkApproval(engine),
    ...(await checkExtensions(engine)),
    ...(await checkAudit(engine)),
    ...checkLogging(engine),
    ...checkTelemetry(engine),
    ...(await checkIsolation(engine)),
  ];
}
