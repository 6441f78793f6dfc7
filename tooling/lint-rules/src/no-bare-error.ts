import type { LintRule } from "./lint-rule.ts";

/** Refuses `new Error(…)`: a failure needs a code, so that a model or a host can act on it. */
export const noBareError: LintRule = {
  meta: {
    type: "problem",
    messages: {
      bare: "A bare Error has no code. Throw a ToolError for what a model should see or an AiwError for a fault of the host.",
    },
  },
  create(context) {
    const check = (node: { callee: { type: string; name?: unknown } }): boolean =>
      node.callee.type === "Identifier" && node.callee.name === "Error";
    return {
      NewExpression(node) {
        if (check(node)) context.report({ node, messageId: "bare" });
      },
      CallExpression(node) {
        if (check(node)) context.report({ node, messageId: "bare" });
      },
    };
  },
};
