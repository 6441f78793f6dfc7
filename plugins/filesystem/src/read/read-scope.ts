import type { Workspace } from "@aiw/core/node";
import type { ReadState } from "../read-state.ts";

/** What reading every entry of a call shares. */
export interface ReadScope {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly state: ReadState;
  /** A label, or `auto`. */
  readonly encoding: string;
  /** The operator says that the model sees images. */
  readonly vision: boolean;
  /** Bytes that images of the call may still take. */
  readonly imageBytes: number;
}
