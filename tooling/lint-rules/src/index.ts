import { noBareError } from "./no-bare-error.ts";
import { noUnexplainedSuppression } from "./no-unexplained-suppression.ts";

/** The plugin, named `house` in the configuration. */
export default {
  meta: { name: "house" },
  rules: {
    "no-bare-error": noBareError,
    "no-unexplained-suppression": noUnexplainedSuppression,
  },
};
