import { ToolError, toFailure, toSuccess, type FailedCall, type ToolFailure, type ToolResult } from "@aiw/core";
import { toCallRecord } from "../call/call-record.ts";
import type { ClosingStep } from "../pipeline/run-stages.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { FullResults } from "./full-results.ts";
import { findSecrets, maskKnown, type NamedSecrets } from "./mask-secrets.ts";
import { truncateOutput, type ResultBounds, type TruncateOptions } from "./truncate-output.ts";

/** How a call's work ended: with the value it left, or with what was thrown. */
export type CallEnd = { readonly ok: true } | { readonly ok: false; readonly thrown: unknown };

/** The same for every call that went well. */
export const ENDED_WELL: CallEnd = Object.freeze<CallEnd>({ ok: true });

/** How results are bounded. */
export interface BoundResultOptions {
  /** What a model is given of a result. */
  readonly bounds: ResultBounds;
  readonly full: FullResults;
}

/** Makes the whole result of a call, secrets masked; never throws, whatever the value is. */
export function closeResult(call: RunningCall, end: CallEnd): ToolResult {
  if (!end.ok) return closeFailure(call, end.thrown);
  const record = toCallRecord(call);
  return call.dryRun ? toSuccess(undefined, record) : toSuccess(call.value, record, call.validated?.tool);
}

/** Shortens what is too long for a model; a value that cannot be read becomes a failure. */
export function boundResultStep({ bounds, full }: BoundResultOptions): ClosingStep<RunningCall, ToolResult> {
  return {
    stage: "bound_result",
    after: (call, result) => {
      const options = { bounds, full, owner: call };
      if (!result.success) return boundFailure(result, options);
      try {
        const { value, truncated } = truncateOutput(result.value, options);
        return truncated === undefined ? result : { ...result, value, truncated };
      } catch (cause) {
        const error = new ToolError("invalid_output", "The tool gave a value that cannot be read as JSON.", { cause });
        return boundFailure(closeFailure(call, error), options);
      }
    },
  };
}

function closeFailure(call: RunningCall, thrown: unknown): ToolFailure {
  const tool = call.validated?.tool;
  const known = toKnownSecrets(call, thrown);
  return toReadableFailure(thrown, {
    spec: call.spec ?? { name: call.name },
    input: call.validated?.input ?? call.bounded?.value ?? call.given,
    call: toCallRecord(call),
    secrets: { names: known.names, mask: (text) => maskKnown(text, known) },
    ...(tool !== undefined && { tool }),
  });
}

function boundFailure(result: ToolFailure, options: TruncateOptions): ToolFailure {
  if (result.details === undefined) return result;
  const { details: _details, ...rest } = result;
  const details = boundDetails(result.details, options);
  return details === undefined ? rest : { ...rest, details };
}

/** From the arguments as given, as they ran, and as the failure shows them; what cannot be read, its message does not show either. */
function toKnownSecrets(call: RunningCall, thrown: unknown): NamedSecrets {
  try {
    const shown = ToolError.is(thrown) ? thrown.parameters : undefined;
    return findSecrets(call.bounded?.value ?? call.given, call.validated?.input, shown);
  } catch {
    return { names: [], texts: [] };
  }
}

/** A thrown proxy may throw again when it is looked at. */
function toReadableFailure(thrown: unknown, failed: FailedCall): ToolFailure {
  try {
    return toFailure(thrown, failed);
  } catch {
    return toFailure(new ToolError("internal_error", "The tool threw what cannot be read."), failed);
  }
}

/** Details that cannot be read are no facts, and the failure stands without them. */
function boundDetails(details: object, options: TruncateOptions): Record<string, unknown> | undefined {
  try {
    return truncateOutput(details, options).value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
