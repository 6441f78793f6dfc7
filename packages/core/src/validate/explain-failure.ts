import { ToolError } from "../errors/tool-error.ts";
import type { CoreErrorCode } from "../errors/error-codes.ts";
import { cut } from "../schema/show-value.ts";
import type { ExplainedIssue } from "./to-issues.ts";

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 300;

/** Characters of a whole message: the call it opens with, the lines and the suggestion. */
const MAX_MESSAGE_LENGTH = 2000;

/** Parts of a message about a refused value. */
export interface FailureParts {
  readonly code: CoreErrorCode;
  /** What has the problems: `the arguments`. */
  readonly subject: string;
  readonly issues: readonly ExplainedIssue[];
  /** Characters that the host writes before the message. */
  readonly headLength: number;
  readonly suggestion?: string | undefined;
}

/** Makes the error that lists what is wrong: at most twenty lines and 2,000 characters, then how many more. */
export function explainFailure({ code, subject, issues, headLength, suggestion }: FailureParts): ToolError {
  const title = `${issues.length} problem${issues.length === 1 ? "" : "s"} with ${subject}.`;
  const room =
    MAX_MESSAGE_LENGTH - headLength - title.length - (suggestion?.length ?? 0) - "\n… and 1000 more".length - 3;
  const lines: string[] = [];
  let used = 0;
  for (const { line } of issues.slice(0, MAX_LINES)) {
    const text = `\n- ${cut(line, MAX_LINE_LENGTH)}`;
    if (used + text.length > room) break;
    used += text.length;
    lines.push(text);
  }
  const left = issues.length - lines.length;
  return new ToolError(code, `${title}${lines.join("")}${left > 0 ? `\n… and ${left} more` : ""}`, {
    ...(suggestion !== undefined && { suggestion }),
    details: { issues: issues.slice(0, MAX_LINES).map(({ issue }) => issue) },
  });
}
