import type { TrustProblem } from "../../config/trust/trust-store.ts";
import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";

/** Says why what waits waits, whatever was recorded. */
export function toStoreFinding({ reason, fix }: TrustProblem, packageKey: string): Finding {
  return createFinding({
    code: "trust_store_invalid",
    package: packageKey,
    reason: `Nothing is trusted: ${toShownText(reason)}`,
    fix,
  });
}
