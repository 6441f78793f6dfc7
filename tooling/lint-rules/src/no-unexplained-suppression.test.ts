import { describe, it } from "vitest";
import { RuleTester } from "oxlint/plugins-dev";
import { noUnexplainedSuppression } from "./no-unexplained-suppression.ts";

RuleTester.describe = describe;
RuleTester.it = it;

const errors = [{ messageId: "unexplained" }];

new RuleTester().run("noUnexplainedSuppression", noUnexplainedSuppression, {
  valid: [
    "// oxlint-disable-next-line eslint/no-console -- a terminal is the only reader here\nf();",
    "// @ts-expect-error: the wrong type is what this line proves\nf();",
    "/* eslint-disable no-eval -- generated code is evaluated here */ f();",
    "// a remark that says oxlint-disable in passing\nf();",
  ],
  invalid: [
    { code: "// oxlint-disable-next-line eslint/no-console\nf();", errors },
    { code: "// @ts-expect-error\nf();", errors },
    { code: "// @ts-ignore: because\nf();", errors },
    { code: "/* eslint-disable */ f();", errors },
  ],
});
