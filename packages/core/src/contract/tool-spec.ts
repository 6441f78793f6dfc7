import type { JsonObject, JsonSchema } from "./json.ts";

/** Legal names of tools: accepted by every model provider without rewriting. */
export const TOOL_NAME_PATTERN: RegExp = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

/** Characters a description may have; longer ones are refused by OpenAI-compatible endpoints. */
export const MAX_DESCRIPTION_LENGTH = 1024;

/** What a call may do to the world; absent knowledge counts as the unsafe value. */
export interface ToolEffects {
  /** Changes nothing anywhere. */
  readonly readOnly: boolean;
  /** May overwrite or delete what exists. */
  readonly destructive: boolean;
  /** Calling again with the same arguments changes nothing further. */
  readonly idempotent: boolean;
  /** Reaches systems outside this project. */
  readonly openWorld: boolean;
}

/** One situation and the call that fits it; phrases are infinitives ("rename a file"). */
export interface ToolExample {
  /** The general need, printed before the concrete case; an infinitive without `to`: `rename a file`. */
  readonly need?: string;
  /** The concrete case, likewise: `call a.ts b.ts`. */
  readonly when: string;
  /** Arguments that pass the input schema. */
  readonly input: JsonObject;
}

/** What a prompt says of the tool beyond its definition. */
export interface ToolInstructions {
  /** When and why to use the tool. */
  readonly purpose?: string;
  /** What a successful call gives. */
  readonly expectedOutput?: string;
  readonly examples?: readonly ToolExample[];
  /** Replaces the whole generated block; its first line must name the tool. */
  readonly text?: string;
}

/** Facts for hosts: selection, policy, display. */
export interface ToolMetadata {
  readonly version?: string;
  readonly category?: string;
  readonly tags: readonly string[];
  readonly effects: ToolEffects;
  /** What the tool needs of the host: `fs:read`, `fs:write`, `process`, `net`, `env`, or the author's own words. */
  readonly permissions: readonly string[];
  /** Asks a person before every call, whatever the effects. */
  readonly requiresApproval?: boolean;
  /** Milliseconds of work before the signal aborts; waiting for approval does not count. */
  readonly timeoutMs?: number;
  /** The code has a verdict on arguments (`Tool.assess`). */
  readonly assess?: boolean;
  readonly display?: { readonly suppressExecutionAnimation?: boolean };
  /** An author's own flags; filters read them. */
  readonly custom?: { readonly [flag: string]: unknown };
}

/** What a tool does, as JSON-serialisable data: frozen, hashable, shown to planners without `implementation`. */
export interface ToolSpec {
  /** Matches {@link TOOL_NAME_PATTERN}; snake_case by convention. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** For the model: short and true, at most 1,024 characters. */
  readonly description: string;
  /** Names the executor: `function`, `module`, `http`, `shell`, `mcp`, or a host's own. */
  readonly type: string;
  /** Root type `object`. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly instructions?: ToolInstructions;
  readonly metadata: ToolMetadata;
  /** How it is done, for the executor of `type`; hashed, but never shown to a planner. */
  readonly implementation?: unknown;
}
