import type {
  InputAnswer,
  InputRequest,
  ToolLog,
  ToolProgress,
  TraceContext,
  WorkspaceRoots,
} from "../contract/tool-context.ts";
import type { Principal, ToolResult } from "../contract/tool-result.ts";
import type { AbortSource } from "./abort-source.ts";
import type { SessionStore } from "./session-store.ts";

/** What a host lends to one call; everything left out is absent for the tool, never taken from the process. */
export interface CallEnvironment {
  readonly callId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Counts from 1 within a conversation. */
  readonly turn?: number | undefined;
  readonly principal?: Principal | undefined;
  /** Equal for every attempt at the same work. */
  readonly idempotencyKey?: string | undefined;
  /** Aborts the call; a `ToolError` as its reason becomes the result. */
  readonly signal?: AbortSignal | undefined;
  /** The same from a host that makes its signal at first use; wins over `signal`. */
  readonly abort?: AbortSource | undefined;
  /** No root, no file. */
  readonly workspace?: WorkspaceRoots | undefined;
  /** State of the conversation; a call without one gets a store of its own that ends with it. */
  readonly session?: SessionStore | undefined;
  readonly log?: ToolLog | undefined;
  /** Characters of a result, as JSON, that the host passes on; absent means all. */
  readonly maxResultCharacters?: number | undefined;
  /** What requests of the tool may pass on. */
  readonly traceContext?: TraceContext | undefined;
  readonly onOutput?: ((chunk: string, channel: string) => void) | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  readonly requestInput?: ((key: string, request: InputRequest) => Promise<InputAnswer>) | undefined;
  readonly callTool?: ((name: string, input: unknown) => Promise<ToolResult>) | undefined;
}
