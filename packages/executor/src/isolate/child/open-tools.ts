import { ToolError, toLoadError, type Parse, type ParseIssue, type Tool } from "@aiw/core";
import { loadToolCode } from "@aiw/core/node";
import type { HostMessage, ToolParts, WireInput, WireIssue } from "../wire/messages.ts";

/** A tool whose code is loaded, with its options as its schema made them. */
export interface OpenTool {
  readonly tool: Tool;
  readonly options: unknown;
}

/** What parsing gave, kept for the execution that follows. */
interface ParsedInput {
  readonly value: unknown;
}

/** Parsed arguments that are kept; what came before is parsed again should it be needed. */
const MAX_PARSED = 256;

/** Things one message about wrong arguments or options names. */
const MAX_ISSUES = 50;

/** The package's tools in this process, by the host's numbers. */
export class OpenTools {
  readonly #tools = new Map<number, OpenTool>();
  readonly #parsed = new Map<number, ParsedInput>();

  get(number: number): OpenTool {
    const open = this.#tools.get(number);
    if (open === undefined) throw new ToolError("internal_error", "The tool was not opened in its process.");
    return open;
  }

  /** @throws ToolError `load_failed` */
  async open(
    message: Extract<HostMessage, { readonly t: "open" }>,
  ): Promise<{ parts: ToolParts; issues?: WireIssue[] }> {
    const { tool: number, code, spec, options } = message;
    const tool = await loadToolCode(code, spec).catch((cause: unknown) => {
      throw toLoadError(cause);
    });
    const parts = {
      parseInput: tool.parseInput !== undefined,
      parseOutput: tool.parseOutput !== undefined,
      assess: tool.assess !== undefined,
      preview: tool.preview !== undefined,
    };
    const parsed = await parse(tool.parseOptions, options ?? {});
    if (parsed.issues !== undefined) return { parts, issues: parsed.issues };
    this.#tools.set(number, { tool, options: parsed.value });
    return { parts };
  }

  async parse({ tool: number, token, input }: WireInput): Promise<{ issues?: WireIssue[] }> {
    const { tool } = this.get(number);
    const parsed = await parse(tool.parseInput, input);
    if (parsed.issues !== undefined) return { issues: parsed.issues };
    this.#keep(token, parsed);
    return {};
  }

  /** What was parsed under the token, or what parsing gives now: the process may be another one. */
  async inputOf({ tool: number, token, input }: WireInput): Promise<unknown> {
    const kept = this.#parsed.get(token);
    if (kept !== undefined) return kept.value;
    const parsed = await parse(this.get(number).tool.parseInput, input);
    if (parsed.issues === undefined) return parsed.value;
    const said = parsed.issues.map(({ message, path = [] }) => `${path.join(".") || "arguments"}: ${message}`);
    throw new ToolError("invalid_input", `The arguments do not fit any more: ${said.join("; ")}.`);
  }

  #keep(token: number, parsed: ParsedInput): void {
    this.#parsed.set(token, parsed);
    const [oldest] = this.#parsed.keys();
    if (this.#parsed.size > MAX_PARSED && oldest !== undefined) this.#parsed.delete(oldest);
  }
}

/** Runs an author's schema; without one a value is what it is. */
export async function parse(
  schema: Parse<unknown> | undefined,
  value: unknown,
): Promise<{ readonly value: unknown; readonly issues?: undefined } | { readonly issues: WireIssue[] }> {
  if (schema === undefined) return { value };
  const parsed = await schema(value);
  return parsed.issues === undefined
    ? { value: parsed.value }
    : { issues: parsed.issues.slice(0, MAX_ISSUES).map(toIssue) };
}

function toIssue({ message, path }: ParseIssue): WireIssue {
  return {
    message: String(message),
    ...(path !== undefined && { path: path.map((key) => (typeof key === "number" ? key : String(key))) }),
  };
}
