import { describe, it } from "vitest";
import { RuleTester } from "oxlint/plugins-dev";
import { noBareError } from "./no-bare-error.ts";

RuleTester.describe = describe;
RuleTester.it = it;

new RuleTester().run("noBareError", noBareError, {
  valid: [
    "throw new ToolError('not_found', 'x');",
    "throw new TypeError('x');",
    "class Mine extends Error {}",
    "x instanceof Error;",
  ],
  invalid: [
    { code: "throw new Error('x');", errors: [{ messageId: "bare" }] },
    { code: "const failure = Error('x');", errors: [{ messageId: "bare" }] },
  ],
});
