/** When a failed attempt is followed by another. */
export interface RetryConfig {
  /** Attempts in all; 1 tries once. */
  readonly attempts?: number;
  /** Milliseconds the first wait may last; every later one may last twice as long. */
  readonly baseMs?: number;
  /** Milliseconds no wait of our own choice exceeds. */
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
  /** Milliseconds a call may work, all attempts together. */
  readonly timeoutMs?: number;
  /** Bounds by tool: a glob on the full id or name. */
  readonly tools?: { readonly [pattern: string]: ToolLimitsConfig };
  /** Bounds by category. */
  readonly categories?: { readonly [category: string]: ToolLimitsConfig };
  readonly retry?: RetryConfig;
  /** Calls that run at once; of those a call makes itself, the same number. */
  readonly concurrency?: number;
  /** Calls that may wait for their turn. */
  readonly queue?: number;
  /** Milliseconds a call may wait for its turn. */
  readonly queueMs?: number;
  /** Milliseconds that work which did not stop keeps its slot. */
  readonly unsettledMs?: number;
  /** Milliseconds for loading, validating and assessing before a call works. */
  readonly preparationMs?: number;
  /** Milliseconds an aborted tool has to stop. */
  readonly graceMs?: number;
  /** Characters of a result a model is given. */
  readonly resultCharacters?: number;
  /** Tokens of a result a model is given, estimated. */
  readonly resultTokens?: number;
  /** Bytes of whole results kept for reading back. */
  readonly fullResultBytes?: number;
  /** Calls within calls. */
  readonly depth?: number;
  /** Calls within one outermost call, all depths together. */
  readonly nestedCalls?: number;
  /** Milliseconds a module has to load. */
  readonly loadTimeoutMs?: number;
}
