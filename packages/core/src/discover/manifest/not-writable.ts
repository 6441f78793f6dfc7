import { AiwError } from "../../errors/aiw-error.ts";

/** Says why a package gets no manifest, and what to change. */
export function notWritable(message: string, fix: string, cause?: unknown): AiwError {
  return new AiwError("manifest_not_writable", message, { fix, ...(cause !== undefined && { cause }) });
}

/** What a thrown value says. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
