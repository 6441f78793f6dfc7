import { ToolError, type Assessment } from "@aiw/core";

/** Of larger files a call is not tried before it runs: that would cost as much as the call. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Arguments that were tried. A call is judged once more just before it runs, and then finds out by itself. */
const tried = new WeakSet<object>();

/** Codes that no other call mends, beside those of the workspace's rules. */
const LASTING: readonly string[] = ["denied_by_policy", "invalid_patch", "invalid_input", "invalid_path"];

/** What a call would do, for a person who is asked about it, or why it would fail as things are. */
export type Foresight = Pick<Assessment, "failure" | "preview">;

/**
 * Tries a change without making it; `attempt` gives its diff.
 * @throws ToolError what the call would fail with, whatever ran before it.
 */
export async function foresee(
  input: object,
  { bytes, attempt }: { readonly bytes: number; readonly attempt: () => Promise<string> },
): Promise<Foresight> {
  if (bytes > MOST_BYTES || tried.has(input)) return {};
  tried.add(input);
  try {
    const diff = await attempt();
    return diff === "" ? {} : { preview: diff.split("\n") };
  } catch (error) {
    return toForesight(error);
  }
}

/**
 * Gives what a plan fails with, where an earlier call may still mend that, so that nobody is asked about it.
 * @throws ToolError what no other call mends.
 */
export function toForesight(error: unknown): { readonly failure: ToolError } {
  if (!ToolError.is(error) || error.code === "cancelled" || isLasting(error)) throw error;
  return { failure: error };
}

/** Whether an error speaks of the call itself, or of a rule, and not of what stands in the files by now. */
export function isLasting({ type, code }: ToolError): boolean {
  return type === "security_error" || LASTING.includes(code);
}
