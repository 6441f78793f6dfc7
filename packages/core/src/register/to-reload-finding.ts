import { AiwError } from "../errors/aiw-error.ts";
import { createFinding } from "./create-finding.ts";
import type { DiscoveredProject, Finding } from "./discovery-report.ts";
import { toShownText } from "./create-finding.ts";

/** Says why a reload changed nothing. */
export function toReloadFinding(error: unknown, { dir, name }: DiscoveredProject): Finding {
  const message = error instanceof Error ? error.message : String(error);
  return createFinding({
    code: "reload_failed",
    package: name ?? dir,
    ...(dir !== "" && { dir }),
    reason: `The tools are as they were before: ${toShownText(message)}`,
    fix: (AiwError.is(error) ? error.fix : undefined) ?? "Correct the cause and reload.",
  });
}
