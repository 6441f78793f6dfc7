// Everything that can stand around a call at once, each through its door; nothing is written or sent.
import { approval } from "@aiw/extensions/approval";
import { audit, memorySink } from "@aiw/extensions/audit";
import { auth } from "@aiw/extensions/auth";
import { createLogger, logging } from "@aiw/extensions/logging";
import { rateLimit } from "@aiw/extensions/rate-limit";
import { telemetry } from "@aiw/extensions/telemetry";

/** Whom the roles let call. */
export const principal = { id: "ada", roles: ["caller"] };

export async function createAllExtensions() {
  return [
    auth({ roles: { caller: { rules: [{ match: { tools: ["add", "order"] }, decision: "allow" }] } } }),
    approval({ mode: "unsafe_only", approver: () => ({ decision: "allow" }) }),
    rateLimit({ perSecond: 1_000_000_000 }),
    audit({ sink: memorySink({ maxRecords: 1000 }) }),
    logging(await createLogger({ level: "silent" })),
    await telemetry(),
  ];
}
