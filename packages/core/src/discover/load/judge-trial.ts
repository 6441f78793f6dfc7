import type { TrialVerdict } from "../guards/trial-import.ts";
import { isModuleInCommonJs } from "./explain-load-failure.ts";
import type { ModuleLoad } from "./module-load.ts";

/** What becomes of a module that must not be imported here; nothing for one that may be. */
export function judgeTrial(verdict: TrialVerdict, timeoutMs: number): ModuleLoad | undefined {
  switch (verdict.kind) {
    case "exited":
      return verdict;
    case "failed":
      return { kind: "failed_elsewhere", when: "later", error: verdict.error };
    case "hung":
      return { kind: "timed_out", afterMs: timeoutMs };
    case "threw":
      // Of this one Node would also print a warning here; every other tells more where it is asked.
      return isModuleInCommonJs(verdict.error)
        ? { kind: "failed_elsewhere", when: "import", error: verdict.error }
        : undefined;
    case "survived":
    case "untried":
      return undefined;
  }
}
