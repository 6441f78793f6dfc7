import { CONTRACT_VERSION, isTool, type Tool } from "../contract/tool.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { validateSpec } from "../schema/validate-spec.ts";

/**
 * Checks that a value is a tool this host can run and offer.
 * @throws AiwError `tool_definition_invalid`, `contract_version_unsupported`
 */
export function assertUsable(tool: unknown): asserts tool is Tool {
  if (!isTool(tool)) {
    throw new AiwError("tool_definition_invalid", "What is registered must be a tool.", {
      fix: "Make it with defineTool, BaseTool or adaptTool.",
    });
  }
  if (!(tool.contractVersion <= CONTRACT_VERSION)) {
    throw new AiwError(
      "contract_version_unsupported",
      `The tool speaks contract version ${String(tool.contractVersion)}, this host ${CONTRACT_VERSION}.`,
      { fix: "npm install @aiw/core@latest" },
    );
  }
  const issues = validateSpec(tool.spec);
  if (issues.length === 0) return;
  const lines = issues.map(({ pointer, message }) => `${pointer || "/"} ${message}`);
  throw new AiwError("tool_definition_invalid", `The tool's spec is wrong: ${lines.join("; ")}.`, {
    fix: "Correct the fields named in the definition.",
    details: { issues },
  });
}
