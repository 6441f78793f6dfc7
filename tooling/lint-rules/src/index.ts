import type { LintRule } from "./lint-rule.ts";
import { noBareError } from "./no-bare-error.ts";
import { noUnexplainedSuppression } from "./no-unexplained-suppression.ts";

const rules: Readonly<Record<string, LintRule>> = {
  "no-bare-error": noBareError,
  "no-unexplained-suppression": noUnexplainedSuppression,
};

/** The plugin, named `house` in the configuration. */
export default { meta: { name: "house" }, rules };
