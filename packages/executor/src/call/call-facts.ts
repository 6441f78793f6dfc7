import type {
  ActivityStream,
  Tool,
  ToolEntry,
  ToolError,
  ToolLog,
  ToolRegistry,
  ToolResult,
  WorkspaceRoots,
} from "@aiw/core";
import type { AbortNode } from "./abort-tree.ts";
import type { CallEvent } from "./call-event.ts";
import type { ExecuteOptions } from "./execute-options.ts";
import type { Suspending } from "./suspension.ts";

/** What is known of a call when it arrives. */
export interface CallFacts<Call> {
  readonly callId: string;
  /** The name as asked for, bounded. */
  readonly name: string;
  readonly given: unknown;
  readonly options: ExecuteOptions;
  readonly registry: ToolRegistry;
  readonly entry?: ToolEntry | undefined;
  readonly tool?: Tool | undefined;
  readonly parent?: Call | undefined;
  /** What aborts it, beside its own clock. */
  readonly abortParent: AbortNode;
  /** Told of an abort. */
  onAbort(call: Call, reason: ToolError): void;
  readonly workspace?: WorkspaceRoots | undefined;
  readonly log?: ToolLog | undefined;
  /** Streams that are told of the call; none for a dry run. */
  readonly streams: readonly ActivityStream[];
  /** Judged only: no event, no execution. */
  readonly dryRun: boolean;
  /** Present for a call that may be suspended, or goes on after it was. */
  readonly suspending?: Suspending | undefined;
  /** Why the call cannot run whatever its arguments: unknown tool, taken id, too deep. */
  readonly refusal?: ToolError | undefined;
}

/** The part of a chain that a call needs beside its stages. */
export interface CallChain<Call> {
  /** Tells extensions of an event within the call; absent where none wants to know. */
  readonly tell: ((call: Call, event: CallEvent) => void) | undefined;
  /** Tells extensions that the call is suspended. */
  suspend(call: Call): void;
  close(call: Call, result: ToolResult): ToolResult | Promise<ToolResult>;
}
