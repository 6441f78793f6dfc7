import type { Principal, ToolCode, ToolSpec, TraceContext, WorkspaceRoots } from "@aiw/core";
import type { WireFailure } from "./failure.ts";

/** What a call tells its tool, as data. */
export interface CallFacts {
  readonly callId: string;
  readonly sessionId: string;
  readonly turn?: number;
  readonly principal?: Principal;
  readonly idempotencyKey?: string;
  readonly workspace: WorkspaceRoots;
  readonly maxResultCharacters?: number;
  readonly traceContext?: TraceContext;
}

/** Which arguments are meant: those that were parsed under a token, else what parsing these gives. */
export interface WireInput {
  readonly tool: number;
  readonly token: number;
  readonly input: unknown;
}

/** What the host asks of the process; `id` names the work. */
export type HostMessage =
  | {
      readonly t: "open";
      readonly id: number;
      readonly tool: number;
      readonly code: ToolCode;
      readonly spec: ToolSpec;
      readonly options: unknown;
    }
  | ({ readonly t: "parse"; readonly id: number } & WireInput)
  | ({ readonly t: "assess" | "execute"; readonly id: number; readonly call: CallFacts } & WireInput)
  | { readonly t: "abort"; readonly id: number; readonly reason: WireFailure }
  | {
      readonly t: "answer";
      readonly id: number;
      readonly ask: number;
      readonly value?: unknown;
      readonly failure?: WireFailure;
    }
  | { readonly t: "end_session"; readonly id: number; readonly session: number };

/** What a tool has beside `execute`. */
export interface ToolParts {
  readonly parseInput: boolean;
  readonly parseOutput: boolean;
  readonly assess: boolean;
  readonly preview: boolean;
}

/** One thing a schema refused, as data. */
export interface WireIssue {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

/** What a call asks of its host while it runs. */
export type WireQuestion =
  | { readonly kind: "input"; readonly key: string; readonly request: unknown }
  | { readonly kind: "call"; readonly name: string; readonly input: unknown }
  | { readonly kind: "session" };

/** What the process tells; nothing in it is believed before it was read by the host's own reader. */
export type ProcessMessage =
  | { readonly t: "ready" }
  | { readonly t: "opened"; readonly id: number; readonly parts: ToolParts; readonly issues?: readonly WireIssue[] }
  | { readonly t: "parsed"; readonly id: number; readonly issues?: readonly WireIssue[] }
  | {
      readonly t: "done";
      readonly id: number;
      readonly value?: unknown;
      readonly issues?: readonly WireIssue[];
      readonly preview?: readonly string[];
    }
  | { readonly t: "failed"; readonly id: number; readonly failure: WireFailure; readonly preview?: readonly string[] }
  | { readonly t: "output"; readonly id: number; readonly chunk: string; readonly channel: string }
  | { readonly t: "progress"; readonly id: number; readonly progress: unknown }
  | {
      readonly t: "log";
      readonly id: number;
      readonly level: string;
      readonly message: string;
      readonly fields?: unknown;
    }
  | ({ readonly t: "ask"; readonly id: number; readonly ask: number } & WireQuestion);
