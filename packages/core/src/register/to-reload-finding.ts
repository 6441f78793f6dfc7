import { AiwError } from "../errors/aiw-error.ts";
import { createFinding, toShownError } from "./create-finding.ts";
import type { DiscoveredProject, Finding } from "./discovery-report.ts";

/** Says why a reload changed nothing. */
export function toReloadFinding(error: unknown, { dir, name }: DiscoveredProject): Finding {
  return createFinding({
    code: "reload_failed",
    package: name ?? dir,
    ...(dir !== "" && { dir }),
    reason: `The tools are as they were before: ${toShownError(error)}`,
    fix: (AiwError.is(error) ? error.fix : undefined) ?? "Correct the cause and reload.",
  });
}
