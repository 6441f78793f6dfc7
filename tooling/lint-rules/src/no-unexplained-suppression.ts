import type { LintRule } from "./lint-rule.ts";

/** A comment that switches a tool off; the rest of the comment must say why. */
const SUPPRESSION =
  /^[\s*]*(?:(?:oxlint|eslint)-disable(?:-next-line|-line)?|@ts-(?:expect-error|ignore|nocheck)|(?:v8|c8|istanbul) ignore|(?:oxfmt|prettier)-ignore)(?<rest>[\s\S]*)$/u;

/** A reason follows `--` or a colon and has at least three words. */
const REASON = /(?:\s--\s|:\s)\s*\S+(?:\s+\S+){2,}/u;

/** Refuses a suppression that does not say why it is right. */
export const noUnexplainedSuppression: LintRule = {
  meta: {
    type: "problem",
    messages: {
      unexplained: "A suppression needs a reason. Write it after ` -- `, in at least three words, or repair the cause.",
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const rest = SUPPRESSION.exec(comment.value)?.groups?.["rest"];
          if (rest === undefined || REASON.test(rest)) continue;
          context.report({ loc: comment.loc, messageId: "unexplained" });
        }
      },
    };
  },
};
