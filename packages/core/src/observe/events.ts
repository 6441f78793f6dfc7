import type { ToolProgress } from "../contract/tool-context.ts";
import type { ArgumentRepair, Principal, ToolFailure, ToolSuccess } from "../contract/tool-result.ts";

/** What each type of event says, beside the facts all events share. */
export interface ActivityEventData {
  /** A call was accepted; its arguments are as given, bounded, secrets masked. */
  tool_call_start: { readonly arguments: unknown; readonly principal?: Principal };
  /** The arguments could not be read as they came and were repaired; they are as they will be judged, bounded, secrets masked. */
  tool_arguments_repaired: { readonly repairs: readonly ArgumentRepair[]; readonly arguments: unknown };
  /** The same call was made before and came to the same; `blocked` when its result is withheld from the model for that. */
  tool_call_repeated: {
    readonly earlierCallId: string;
    readonly earlierTurn?: number;
    /** How often the same came of it in a row, this call included. */
    readonly times: number;
    readonly blocked: boolean;
  };
  /** The tool produced output, at most 65,536 characters at a time. */
  tool_output_chunk: { readonly chunk: string; readonly channel: string };
  tool_progress: ToolProgress;
  /** A person is asked; the clock of the call stands still. */
  tool_approval_request: {
    readonly arguments: unknown;
    readonly reason: string;
    readonly rule?: string;
    /** How far a yes may reach: `once`, and what of `turn`, `session` and `rule` can be remembered. */
    readonly scopes?: readonly string[];
    /** Milliseconds since the epoch when the question counts as answered by nobody. */
    readonly expiresAt?: number;
  };
  /** The question was answered, or an earlier answer stands; then nobody was asked. */
  tool_approval_decision: {
    readonly decision: "allow" | "deny";
    readonly reason?: string;
    /** How far the answer reaches: `once`, `turn`, `session` or `rule`. */
    readonly scope?: string;
    /** `approver`, `remembered`, or `nobody`. */
    readonly by?: string;
    /** Who answered, where the approver says so. */
    readonly answeredBy?: string;
    /** True when the person changed the arguments. */
    readonly edited?: boolean;
    /** Milliseconds the question stood open. */
    readonly waitedMs?: number;
  };
  /** Attempt `attempt` failed with `code`; the next one starts after `delayMs`. */
  tool_retry: { readonly attempt: number; readonly delayMs: number; readonly code: string };
  /** Terminal: the call succeeded. */
  tool_call_end: { readonly success: true; readonly durationMs: number; readonly result: ToolSuccess };
  /** Terminal: the call failed, was refused or was cancelled. */
  error: { readonly success: false; readonly error: string; readonly durationMs: number; readonly result: ToolFailure };
}

/** The name of a type of event. */
export type ActivityEventType = keyof ActivityEventData;

/** The types of events by their constant names. */
export const ActivityEventType = {
  TOOL_CALL_START: "tool_call_start",
  TOOL_ARGUMENTS_REPAIRED: "tool_arguments_repaired",
  TOOL_CALL_REPEATED: "tool_call_repeated",
  TOOL_OUTPUT_CHUNK: "tool_output_chunk",
  TOOL_PROGRESS: "tool_progress",
  TOOL_APPROVAL_REQUEST: "tool_approval_request",
  TOOL_APPROVAL_DECISION: "tool_approval_decision",
  TOOL_RETRY: "tool_retry",
  TOOL_CALL_END: "tool_call_end",
  ERROR: "error",
} as const;

/** Every type of event. */
export const ACTIVITY_EVENT_TYPES = [
  "tool_call_start",
  "tool_arguments_repaired",
  "tool_call_repeated",
  "tool_output_chunk",
  "tool_progress",
  "tool_approval_request",
  "tool_approval_decision",
  "tool_retry",
  "tool_call_end",
  "error",
] as const;

/** The call an event belongs to. */
export interface ActivityCall {
  readonly toolName: string;
  /** `package/tool`, or the name of a tool that no package owns. */
  readonly toolId: string;
}

/** One event of one call; equal in shape for every type. */
export interface ActivityEventOf<Type extends ActivityEventType> {
  readonly type: Type;
  readonly callId: string;
  /** The call whose tool made this one. */
  readonly parentCallId?: string;
  readonly sessionId?: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly data: ActivityEventData[Type] & ActivityCall;
}

/** Any event; `type` tells which. */
export type ActivityEvent = { [Type in ActivityEventType]: ActivityEventOf<Type> }[ActivityEventType];
