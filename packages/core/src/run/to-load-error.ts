import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { describeThrown, hidePlaces } from "./describe-thrown.ts";

/** Says to a model why a tool's code could not be loaded: discovery's reason and fix, and the code of its finding in `details`. */
export function toLoadError(cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  if (!AiwError.is(cause)) return new ToolError("load_failed", `${PREFIX}: ${describeThrown(cause)}`, { cause });
  const { message, fix, code } = cause;
  const finding = cause.details?.["finding"];
  const why = isFinding(finding) ? { finding: finding.code, package: finding.package } : { finding: code };
  return new ToolError("load_failed", `${PREFIX}: ${hidePlaces(message)}`, {
    cause,
    ...(fix !== undefined && { suggestion: hidePlaces(fix) }),
    details: why,
  });
}

const PREFIX = "The tool's code could not be loaded";

function isFinding(value: unknown): value is { readonly code: string; readonly package: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "package" in value &&
    typeof value.package === "string"
  );
}
