import type { LintRule } from "./lint-rule.ts";
import { noBareError } from "./no-bare-error.ts";
import { noUnexplainedSuppression } from "./no-unexplained-suppression.ts";

interface LintPlugin {
  readonly meta: { readonly name: string };
  readonly rules: Readonly<Record<string, LintRule>>;
}

const plugin: LintPlugin = {
  meta: { name: "house" },
  rules: {
    "no-bare-error": noBareError,
    "no-unexplained-suppression": noUnexplainedSuppression,
  },
};

export default plugin;
