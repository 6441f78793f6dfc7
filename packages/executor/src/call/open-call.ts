import {
  escapeHiddenText,
  ToolError,
  type ActivityStream,
  type Principal,
  type ToolEntry,
  type Tool,
  type ToolLog,
  type ToolRegistry,
  type WorkspaceRoots,
} from "@aiw/core";
import type { AbortNode } from "./abort-tree.ts";
import type { ExecuteOptions } from "./execute-options.ts";
import { createCallId } from "./create-call-id.ts";
import { explainAbsence } from "./explain-absence.ts";
import { RunningCall } from "./running-call.ts";
import type { Isolation } from "./isolation.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { SessionAborts } from "./session-aborts.ts";
import { suggestNames } from "./suggest-names.ts";
import type { Suspending } from "./suspension.ts";
import { workspaceOfCall } from "./workspace-of-call.ts";

/** A call as somebody asks for it. */
export interface AskedCall {
  readonly name: string;
  readonly input: unknown;
  readonly options: ExecuteOptions;
  /** The call whose tool asks. */
  readonly parent?: RunningCall;
  /** Judged only, told to nobody. */
  readonly dryRun?: boolean;
  /** Its host takes a suspension for an answer. */
  readonly suspending?: Suspending;
  /** Why the call ended before its tool was looked up. */
  readonly refusal?: ToolError;
}

/** What an executor lends to every call. */
export interface CallHost {
  readonly registry: ToolRegistry;
  /** False for a tool that the caller may not even see. */
  offers(tool: ToolEntry, principal: Principal | undefined): boolean;
  readonly root: AbortNode;
  /** Told of the abort of a call. */
  onAbort(call: RunningCall, reason: ToolError): void;
  readonly sessions: SessionAborts;
  readonly running: RunningCalls;
  /** Calls that may go on later under their ids. */
  readonly suspended: { has(callId: string): boolean };
  /** Calls within calls. */
  readonly maxDepth: number;
  /** Calls within one outermost call. */
  readonly maxNestedCalls: number;
  readonly activity: ActivityStream | undefined;
  readonly workspace: WorkspaceRoots | undefined;
  readonly isolation: Isolation | undefined;
  readonly log: ToolLog | undefined;
}

/** Characters of an unknown name that are repeated. */
const MAX_NAME_LENGTH = 128;

const NO_STREAMS: readonly ActivityStream[] = Object.freeze([]);

/** Gives a call its identity and its tool, or the reason why it has none; never throws. */
export function openCall(host: CallHost, asked: AskedCall): RunningCall {
  const { parent, dryRun = false } = asked;
  // Callers without types pass null where they mean nothing.
  const options = asked.options ?? {};
  const name = toName(asked.name);
  const entry = host.registry.getEntry(name);
  const elsewhere = findElsewhere(host, entry);
  return new RunningCall({
    callId: toCallId(host, options.callId),
    name: entry === undefined ? toShownName(name) : name,
    given: asked.input,
    options,
    registry: host.registry,
    entry,
    tool: elsewhere.tool ?? (entry && host.registry.getToolByName(name)),
    parent,
    abortParent: toAbortParent(host, parent, options),
    onAbort: host.onAbort,
    workspace: workspaceOfCall(options.workspace, host.workspace),
    log: host.log,
    streams: dryRun ? NO_STREAMS : toStreams(host.activity, options.activity),
    dryRun,
    suspending: asked.suspending,
    refusal:
      asked.refusal ??
      elsewhere.refusal ??
      refuseParent(host, parent) ??
      refuseId(host, options.callId) ??
      (entry === undefined ? refuseName(host, name, options) : undefined),
  });
}

const HERE = Object.freeze({});

/** The tool of an entry whose code runs in another process, or why it can run in none. */
function findElsewhere(
  { isolation }: CallHost,
  entry: ToolEntry | undefined,
): { readonly tool?: Tool | undefined; readonly refusal?: ToolError } {
  if (isolation === undefined || entry === undefined) return HERE;
  try {
    return { tool: isolation.toolOf(entry) };
  } catch (error) {
    if (ToolError.is(error)) return { refusal: error };
    return { refusal: new ToolError("isolation_unavailable", "Where the tool runs cannot be said.", { cause: error }) };
  }
}

/** A call within a call ends with it; another one with its conversation, if it has one, or with the executor. */
export function toAbortParent(
  { root, sessions }: Pick<CallHost, "root" | "sessions">,
  parent: RunningCall | undefined,
  { session }: ExecuteOptions,
): AbortNode {
  if (parent !== undefined && !parent.ended) return parent.abort;
  // The closing executor aborts what runs; what comes later hangs on its end.
  return session === undefined || root.aborted ? root : sessions.nodeOf(session);
}

function toName(name: unknown): string {
  return typeof name === "string" ? name : `<${typeof name}>`;
}

/** A name that no tool has is repeated in records and messages, where it must not hide or break anything. */
function toShownName(name: string): string {
  return escapeHiddenText(name.slice(0, MAX_NAME_LENGTH)).replaceAll(/[\r\n\t]+/g, " ");
}

/** A taken id gets another one, so that each id still has one result. */
function toCallId(host: CallHost, wanted: string | undefined): string {
  return typeof wanted === "string" && wanted !== "" && !isTaken(host, wanted) ? wanted : createCallId();
}

function isTaken({ running, suspended }: CallHost, callId: string): boolean {
  return running.has(callId) || suspended.has(callId);
}

function refuseParent(host: CallHost, parent: RunningCall | undefined): ToolError | undefined {
  if (parent === undefined) return undefined;
  if (parent.ended) return new ToolError("cancelled", "The call that made this one has ended.");
  const { maxDepth, maxNestedCalls } = host;
  if (parent.depth >= maxDepth)
    return new ToolError(
      "denied_by_policy",
      `Calls within calls may be ${maxDepth} deep, and this one would be deeper.`,
      { suggestion: "Do the work in the calls there are, or leave it to whoever made the outermost one." },
    );
  const { outermost } = parent;
  if (outermost.nestedCalls >= maxNestedCalls)
    return new ToolError(
      "denied_by_policy",
      `One call may make ${maxNestedCalls} calls in all, and ${outermost.toolName} has made them.`,
      { suggestion: "Give back what there is, and leave the rest to another call." },
    );
  outermost.nestedCalls += 1;
  return undefined;
}

function refuseId(host: CallHost, wanted: string | undefined): ToolError | undefined {
  if (wanted === undefined || !isTaken(host, wanted)) return undefined;
  return new ToolError(
    "conflict",
    `A call with the id ${JSON.stringify(wanted.slice(0, MAX_NAME_LENGTH))} is running, or suspended.`,
    {
      suggestion: "Give every call an id of its own.",
    },
  );
}

function refuseName({ registry, offers }: CallHost, name: string, options: ExecuteOptions): ToolError {
  const known = explainAbsence(registry.report, name);
  if (known !== undefined) {
    const { owner, reason, suggestion, finding } = known;
    return new ToolError("tool_not_found", `${toShownName(name)} of ${owner} cannot be used: ${reason}`, {
      suggestion,
      details: { finding },
    });
  }
  const { catalog = registry, principal } = options;
  const offered = catalog.entries().filter((tool) => offers(tool, principal));
  const { names, isSame } = suggestNames(name, offered);
  return new ToolError("tool_not_found", `No tool is called ${JSON.stringify(toShownName(name))}.`, {
    suggestion: toNextStep(names, isSame),
    ...(names.length > 0 && { details: { nearest: names } }),
  });
}

function toNextStep(names: readonly string[], isSame: boolean): string {
  const [first] = names;
  if (first === undefined) return "Call one of the tools you were given; names are exact.";
  if (isSame) return `Call ${first} with the same arguments: names are exact.`;
  return `Did you mean ${names.join(" or ")}? Names are exact.`;
}

function toStreams(own: ActivityStream | undefined, asked: ActivityStream | undefined): readonly ActivityStream[] {
  if (asked === undefined || asked === own) return own === undefined ? NO_STREAMS : [own];
  return own === undefined ? [asked] : [own, asked];
}
