/** When a failed attempt is followed by another. */
export interface RetryConfig {
  /** Attempts in all, 1 tries once; 3 unless named. */
  readonly attempts?: number;
  /** Milliseconds the first wait may last, every later one twice as long; 500 unless named. */
  readonly baseMs?: number;
  /** Milliseconds no wait exceeds but one the failure asks for; 30,000 unless named. */
  readonly maxMs?: number;
}

/** Bounds of the tools that a pattern or category names. */
export interface ToolLimitsConfig {
  /** Milliseconds each of their calls may work, whatever the tool itself names. */
  readonly timeoutMs?: number;
  /** Calls of all of them together that run at once. */
  readonly concurrency?: number;
}

/** Bounds of every call, and of loading. */
export interface LimitsConfig {
  /** Milliseconds a call may work, all attempts together, when its tool names no limit; 60,000 unless named. */
  readonly timeoutMs?: number;
  /** Bounds by tool: a glob on the full id or name. */
  readonly tools?: { readonly [pattern: string]: ToolLimitsConfig };
  /** Bounds by category. */
  readonly categories?: { readonly [category: string]: ToolLimitsConfig };
  readonly retry?: RetryConfig;
  /** Calls that run at once, and of those that one call makes; 16 unless named. */
  readonly concurrency?: number;
  /** Calls that may wait for their turn; 1,000 unless named. */
  readonly queue?: number;
  /** Milliseconds a call may wait for its turn; 60,000 unless named. */
  readonly queueMs?: number;
  /** Milliseconds that work which did not stop keeps its slot and its locks; 30,000 unless named. */
  readonly unsettledMs?: number;
  /** Milliseconds for loading, validating and assessing before a call works; 30,000 unless named. */
  readonly preparationMs?: number;
  /** Milliseconds an aborted tool has to stop before its result says that it may still run; 2,000 unless named. */
  readonly graceMs?: number;
  /** Milliseconds an extension has to answer where no clock of the call runs; 5,000 unless named. */
  readonly extensionMs?: number;
  /** Characters of a result a model is given; 30,000 unless named. */
  readonly resultCharacters?: number;
  /** Tokens of a result a model is given, estimated; the smaller bound holds. */
  readonly resultTokens?: number;
  /** Bytes of whole results kept for reading back; 64 MiB unless named. */
  readonly fullResultBytes?: number;
  /** Calls within calls, by depth; 10 unless named. */
  readonly depth?: number;
  /** Calls within one outermost call, all depths together; 1,000 unless named. */
  readonly nestedCalls?: number;
  /** Milliseconds a module has to load; 10,000 unless named. */
  readonly loadTimeoutMs?: number;
}
