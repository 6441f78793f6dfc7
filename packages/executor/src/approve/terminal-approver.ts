import { createInterface, type Interface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "@aiw/core";
import type { ApprovalAnswer, ApprovalNo, ApprovalRequest, Approver } from "../call/approver.ts";
import { createPaint, type Paint } from "../render/paint.ts";
import { describeArguments, describeRequest, oneLine } from "./describe-request.ts";
import { toEdited, toKeys, toLegend, toNames, toPrompt, toTyped } from "./terminal-choices.ts";

/** Milliseconds a program has to cancel the call after an interrupt, before the question counts as answered by no. */
const INTERRUPT_MS = 200;

/** Milliseconds in which keys arrive that were pressed before the question was shown. */
const TYPED_AHEAD_MS = 20;

/** The key of an interrupt, as a terminal in raw mode gives it. */
const INTERRUPT_KEY = "\u0003";

/** The terminal a person sits at. */
export interface TerminalApproverOptions {
  /** Standard input unless named; what is no terminal answers no. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Standard error unless named, so that results stay alone on standard output. */
  readonly output?: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  /** True for a program that makes one call: the person says yes or no, and nothing is remembered or edited. */
  readonly yesOrNo?: boolean;
  /** How the diff of a change looks; in colours unless named, where the output is a terminal and `NO_COLOR` is not set. */
  readonly paint?: Paint;
}

/**
 * Makes an approver that asks at a terminal, one question at a time, showing all that will run: yes once, for the turn, for the session
 * or by rule; edit first; no, and why. Keys pressed before are no answer.
 */
export function terminalApprover({
  input = process.stdin,
  output = process.stderr,
  yesOrNo = false,
  paint = createPaint(output.isTTY === true, process.env["NO_COLOR"]),
}: TerminalApproverOptions = {}): Approver {
  let former: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    if (input.isTTY !== true) return toNobody("Nobody is at a terminal to approve it.");
    const answer = former.then(() => ask(request, { input, output, yesOrNo, paint, signal }));
    former = answer.catch(() => undefined);
    return answer;
  };
}

interface Terminal extends Required<TerminalApproverOptions> {
  readonly signal: AbortSignal;
}

async function ask(request: ApprovalRequest, terminal: Terminal): Promise<ApprovalAnswer> {
  const { input, output, paint, signal } = terminal;
  let interrupted = await discardTypedAhead(input, output.isTTY === true);
  if (interrupted && input === process.stdin) await passInterruptOn(signal);
  if (interrupted || isEnded(input)) return toNobody("The question was closed without an answer.");
  if (signal.aborted) return toNobody("The call ended before it was approved.");
  output.write(describeRequest(request, { width: output.columns, paint }));
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const closed = Promise.withResolvers<undefined>();
  lines.once("close", () => closed.resolve(undefined));
  lines.once("SIGINT", () => {
    interrupted = true;
    lines.close();
  });
  try {
    return await converse(request, { ...terminal, lines, closed: closed.promise });
  } finally {
    lines.close();
    if (interrupted && input === process.stdin) await passInterruptOn(signal);
  }
}

interface Conversation extends Terminal {
  readonly lines: Interface;
  readonly closed: Promise<undefined>;
}

/** Asks until there is an answer; an edit or a rule needs more than one line. */
async function converse(request: ApprovalRequest, conversation: Conversation): Promise<ApprovalAnswer> {
  const { output, yesOrNo } = conversation;
  const keys = toKeys(request, yesOrNo);
  let input: JsonObject | undefined;
  if (!yesOrNo) output.write(`${toLegend(keys, output.columns)}\n`);
  for (;;) {
    const line = await readLine(toPrompt(keys), conversation);
    if (line === undefined) return toNobody("The question was closed without an answer.");
    const typed = toTyped(line, keys);
    const edit = input === undefined ? {} : { input };
    if (typed === "edit") input = (await readEdit(input ?? request.arguments, conversation)) ?? input;
    else if (typed === "rule") {
      const parameters = await readNames(Object.keys(input ?? request.arguments), conversation);
      if (parameters !== undefined) return { decision: "allow", ...edit, remember: { rule: { parameters } } };
    } else return typed.decision === "deny" ? typed : { ...typed, ...edit };
  }
}

/** Takes arguments as a person wrote them and shows them as they will run; undefined leaves them as they were. */
async function readEdit(shown: JsonObject, conversation: Conversation): Promise<JsonObject | undefined> {
  const { output } = conversation;
  const line = await readLine("Arguments as JSON: ", conversation, JSON.stringify(shown));
  if (line === undefined || line.trim() === "") return undefined;
  const edited = toEdited(line);
  if (edited === undefined) output.write('That is no JSON object, such as {"path":"a.txt"}.\n');
  else output.write(`Changed to:\n${describeArguments(edited).join("\n")}\n`);
  return edited;
}

async function readNames(names: readonly string[], conversation: Conversation): Promise<readonly string[] | undefined> {
  const { output } = conversation;
  const shown = oneLine(names.join(", "));
  const line = await readLine(`Which arguments must stay as they are? (${shown}) `, conversation);
  if (line === undefined || line.trim() === "") return undefined;
  const named = toNames(line, names);
  if (named === undefined) output.write(`Name some of ${shown}.\n`);
  return named;
}

/** One line; undefined once the question is closed. What is written ahead can be edited at a terminal. */
async function readLine(
  prompt: string,
  { lines, closed, output, signal }: Conversation,
  ahead?: string,
): Promise<string | undefined> {
  const typed = lines.question(prompt, { signal }).catch(() => undefined);
  if (ahead !== undefined && output.isTTY === true) lines.write(ahead);
  const line = await Promise.race([typed, closed]);
  if (line === undefined) output.write("\n");
  return line;
}

function toNobody(reason: string): ApprovalNo {
  return { decision: "deny", reason, unasked: true };
}

/** Empties what was typed while no question stood there, so that a yes to something else allows nothing; true for an interrupt. */
async function discardTypedAhead(input: Terminal["input"], raw: boolean): Promise<boolean> {
  let interrupted = false;
  const discard = (keys: unknown): void => {
    interrupted ||= String(keys).includes(INTERRUPT_KEY);
  };
  // A line that has no end yet reaches the process in raw mode alone, which is how the question reads.
  const setRawMode =
    raw && "setRawMode" in input && typeof input.setRawMode === "function" ? input.setRawMode : undefined;
  setRawMode?.call(input, true);
  input.on("data", discard);
  await setTimeout(TYPED_AHEAD_MS);
  input.off("data", discard);
  input.pause();
  setRawMode?.call(input, false);
  return interrupted;
}

function isEnded(input: Terminal["input"]): boolean {
  return "readableEnded" in input && input.readableEnded === true;
}

/** The terminal gave the key to the question; the program must learn of it, and mostly cancels the call. */
async function passInterruptOn(signal: AbortSignal): Promise<void> {
  process.kill(process.pid, "SIGINT");
  await setTimeout(INTERRUPT_MS, undefined, { signal }).catch(() => undefined);
}
