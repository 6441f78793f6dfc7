import type { ToolError, ToolResult } from "@aiw/core";
import type { FullResults } from "../bound/full-results.ts";
import type { BegunCall } from "../call/begun-call.ts";
import type { RunningCall } from "../call/running-call.ts";
import { tellWithin } from "../call/tell-call.ts";
import { memoryOf, type RememberedResult, type RepeatMemory } from "./repeat-memory.ts";

/** What becomes of read-only calls that come to the same again within a turn. */
export type RepeatMode = "block" | "warn" | "off";

/** What detecting repetitions needs of the host. */
export interface RepeatStepOptions {
  readonly mode: RepeatMode;
  readonly full: FullResults;
  /** The tool the model of a call reads kept results with, where it has one. */
  readerOf(call: RunningCall): string | undefined;
  /** Makes the result of a call that is refused. */
  fail(call: RunningCall, error: ToolError): ToolResult;
}

/** A call whose result is compared with earlier ones. */
export interface ComparedCall {
  readonly call: RunningCall;
  readonly memory: RepeatMemory;
  readonly begun: BegunCall;
  readonly key: string;
}

/** Undefined for a call whose repetitions do not matter, or whose arguments a person changed since. */
export function toCompared(call: RunningCall): ComparedCall | undefined {
  const { begun, options, validated } = call;
  if (begun?.key === undefined || options.session === undefined || begun.validated !== validated) return undefined;
  return { call, memory: memoryOf(options.session), begun, key: begun.key };
}

/** True for a result of this turn since which nothing was changed. */
export function isStanding({ call, memory }: ComparedCall, { turn, changes }: RememberedResult): boolean {
  return turn !== undefined && turn === call.turn && changes === memory.changes;
}

/** True for an answer of a tool that can become another one although nobody here did anything. */
export function mayChange({ call }: ComparedCall): boolean {
  return call.verdict?.effects.openWorld !== false || !call.verdict.effects.idempotent;
}

/** Tells of a repetition. */
export function tellRepeated(
  { call }: ComparedCall,
  { callId, turn }: RememberedResult,
  found: { readonly times: number; readonly blocked: boolean },
): void {
  const earlierTurn = turn === undefined || turn === call.turn ? {} : { earlierTurn: turn };
  tellWithin(call, "tool_call_repeated", { earlierCallId: callId, ...earlierTurn, ...found });
}
