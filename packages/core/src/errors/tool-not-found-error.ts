import { AiwError } from "./aiw-error.ts";

/** Names the tools nearest to one that is not registered. */
export class ToolNotFoundError extends AiwError {
  override readonly name = "ToolNotFoundError";
  readonly toolName: string;
  readonly nearest: readonly string[];

  constructor(toolName: string, nearest: readonly string[]) {
    const shown = toolName.length > 100 ? `${toolName.slice(0, 100)}…` : toolName;
    const hint = nearest.length > 0 ? ` Nearest: ${nearest.join(", ")}.` : "";
    super("tool_not_found", `No tool is called ${JSON.stringify(shown)}.${hint}`, {
      fix: nearest[0] === undefined ? "aiw list" : `aiw info ${nearest[0]}`,
    });
    this.toolName = toolName;
    this.nearest = nearest;
  }
}
