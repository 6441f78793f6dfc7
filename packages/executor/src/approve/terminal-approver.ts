import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import { escapeHiddenText } from "@aiw/core";
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../call/approver.ts";

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
}

/** Makes an approver that asks yes or no at a terminal, one question at a time, showing all that will run; keys pressed before are no answer. */
export function terminalApprover({
  input = process.stdin,
  output = process.stderr,
}: TerminalApproverOptions = {}): Approver {
  let former: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    if (input.isTTY !== true) return { decision: "deny", reason: "Nobody is at a terminal to approve it." };
    const answer = former.then(() => ask(request, { input, output, signal }));
    former = answer.catch(() => undefined);
    return answer;
  };
}

interface Terminal extends Required<TerminalApproverOptions> {
  readonly signal: AbortSignal;
}

async function ask(request: ApprovalRequest, { input, output, signal }: Terminal): Promise<ApprovalAnswer> {
  let interrupted = await discardTypedAhead(input, output.isTTY === true);
  if (interrupted && input === process.stdin) await passInterruptOn(signal);
  if (interrupted || isEnded(input)) return { decision: "deny", reason: "The question was closed without an answer." };
  if (signal.aborted) return { decision: "deny", reason: "The call ended before it was approved." };
  output.write(describeRequest(request, output.columns));
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const closed = Promise.withResolvers<undefined>();
  lines.once("close", () => closed.resolve(undefined));
  lines.once("SIGINT", () => {
    interrupted = true;
    lines.close();
  });
  try {
    const question = lines.question("Allow this call? [y/N] ", { signal }).catch(() => undefined);
    const answer = await Promise.race([question, closed.promise]);
    if (answer === undefined) output.write("\n");
    if (answer !== undefined && /^\s*y(es)?\s*$/i.test(answer)) return { decision: "allow" };
    return {
      decision: "deny",
      reason: answer === undefined ? "The question was closed without an answer." : "The person said no.",
    };
  } finally {
    lines.close();
    if (interrupted && input === process.stdin) await passInterruptOn(signal);
  }
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

/**
 * Shows all that will run, one argument after another; nothing in it can move the cursor or hide. Why it asks is broken between words
 * where the width is known; arguments stay as they are, so that no break in them is ours.
 */
export function describeRequest(
  { toolId, title, reason, arguments: input, resources, cwd }: ApprovalRequest,
  width: number = Infinity,
): string {
  const head = `${oneLine(title === undefined ? toolId : `${title} (${toolId})`)} wants to run: ${oneLine(reason)}`;
  const lines = [
    `\n${breakLine(head, width)}`,
    ...Object.entries(input).map(([name, value]) => `  ${oneLine(name)}: ${showValue(value)}`),
    ...resources.map((resource) => `  touches ${oneLine(resource)}`),
    ...(cwd === undefined ? [] : [`  in ${oneLine(cwd)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** What goes on below stands deeper than arguments do, and cannot pass for one. */
function breakLine(text: string, width: number): string {
  const [first = "", ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line.length + 1 + word.length > width) lines.push(`${DEEPER}${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join("\n");
}

const DEEPER = "      ";

function showValue(value: unknown): string {
  if (typeof value !== "string") return oneLine(JSON.stringify(value));
  const text = escapeHiddenText(value).replaceAll("\r", "\\r");
  return text.includes("\n")
    ? text
        .split("\n")
        .map((line) => `\n    | ${line}`)
        .join("")
    : `"${text}"`;
}

function oneLine(text: string): string {
  return escapeHiddenText(text).replaceAll(/[\r\n\t]+/g, " ");
}
