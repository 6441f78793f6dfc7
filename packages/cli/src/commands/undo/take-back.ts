import { ToolError } from "@aiw/core";
import { openWorkspace, type RevertReport, type RevertRequest } from "@aiw/core/node";
import type { Invocation } from "../../command.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { askYes } from "../../output/ask-yes.ts";
import { oneLine } from "../../output/one-line.ts";
import { printAnswer, printTalk } from "../../output/print-prose.ts";
import { printJson } from "../../output/print.ts";
import { wrapLines } from "../../output/wrap-lines.ts";
import type { ChosenChanges, UndoFlags } from "./choose-changes.ts";
import { firstLines, formatConflict, formatEntry, formatStep } from "./format-changes.ts";

/** One run of the command. */
export interface UndoRun {
  readonly invocation: Invocation;
  readonly flags: UndoFlags;
}

/** How the command ended. */
type State = "done" | "shown" | "declined" | "interrupted" | "conflict";

const EXIT_CODES: Readonly<Record<State, ExitCode>> = {
  done: EXIT.ok,
  shown: EXIT.refused,
  declined: EXIT.refused,
  interrupted: EXIT.interrupted,
  conflict: EXIT.failed,
};

/** Shows what the way back does, asks, and goes it; says on standard error why nothing was changed. */
export async function takeBack(chosen: ChosenChanges, run: UndoRun): Promise<ExitCode> {
  const { io, json } = run.invocation;
  try {
    const { state, report } = await work(chosen, run);
    if (json) printJson(io.stdout, toJson(state, report, { chosen, folder: run.invocation.cwd }));
    say(state, report, run);
    return state === "shown" && run.flags.isDry ? EXIT.ok : EXIT_CODES[state];
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    if (json) printJson(io.stdout, { error: { code: error.code, message: error.message } });
    if (!json || io.stdout.isTTY !== true) printTalk(io, `aiw: ${oneLine(error.message)}`);
    return error.status === "denied" ? EXIT.refused : EXIT.failed;
  }
}

async function work(chosen: ChosenChanges, run: UndoRun): Promise<{ state: State; report: RevertReport }> {
  const { conversation, request } = chosen;
  await using files = await openWorkspace(conversation.workspace);
  const revert = async (more: Partial<RevertRequest>): Promise<RevertReport> =>
    await conversation.journal.revert(files, { ...request, ...more });
  const plan = await revert({ dryRun: true });
  if (plan.conflicts.length > 0) return { state: "conflict", report: plan };
  const state = await askFirst(describePlan(plan, { chosen, cwd: run.invocation.cwd }), run);
  if (state !== undefined) return { state, report: plan };
  const report = await revert({});
  return { state: report.conflicts.length > 0 ? "conflict" : "done", report };
}

/** Why nothing is done; `undefined` where somebody wants it done. */
async function askFirst(text: string, { invocation: { io, json }, flags }: UndoRun): Promise<State | undefined> {
  const { yes, isDry, direction } = flags;
  if (yes || isDry || !io.interactive) {
    if (!json) printAnswer(io, text);
    return yes ? undefined : "shown";
  }
  const answer = await askYes(
    { text: `${wrapLines(text, io.talkColumns)}\n`, question: direction === "undo" ? "Undo this?" : "Redo this?" },
    io,
  );
  if (answer === "yes") return undefined;
  return answer === "no" ? "declined" : "interrupted";
}

function say(state: State, report: RevertReport, { invocation: { io, json, cwd }, flags }: UndoRun): void {
  if (state === "done") {
    if (!json) printAnswer(io, sayDone(report, flags));
  } else if (state === "conflict") {
    const verb = flags.direction === "undo" ? "undone" : "made again";
    const lines = firstLines(report.conflicts, (conflict) => formatConflict(conflict, cwd));
    printTalk(io, [`Nothing was ${verb}: files are no more as they were left.`, ...lines].join("\n"));
  } else if (state !== "shown") printTalk(io, "Nothing was changed.");
  else if (!flags.isDry)
    printTalk(io, "Nothing was changed: nobody is at a terminal to be asked. To do it, add --yes.");
}

function describePlan(
  { reverted }: RevertReport,
  { chosen: { conversation, request }, cwd }: { readonly chosen: ChosenChanges; readonly cwd: string },
): string {
  const ids = new Set(reverted.map(({ undoId }) => undoId));
  const entries = conversation.entries.filter(({ undoId }) => ids.has(undoId));
  return [
    `${request.direction === "undo" ? "To be undone" : "To be made again"}, of conversation ${oneLine(conversation.id)}:`,
    ...firstLines(entries, (entry) => `  ${formatEntry(entry, cwd)}`),
    "What that does:",
    ...firstLines(reverted, (change) => formatStep(change, cwd)),
  ].join("\n");
}

function sayDone({ reverted, remaining }: RevertReport, { direction }: UndoFlags): string {
  const paths = `${reverted.length} ${reverted.length === 1 ? "path" : "paths"}`;
  const [verb, back] =
    direction === "undo"
      ? ["Undone", "To make it again: aiw undo --redo"]
      : ["Made again", "To take it back: aiw undo"];
  const more = remaining === 0 ? "" : ` ${remaining} more of this conversation can go the same way.`;
  return `${verb}: ${paths}.${more} ${back}`;
}

function toJson(
  state: State,
  { reverted, conflicts, remaining }: RevertReport,
  { chosen, folder }: { readonly chosen: ChosenChanges; readonly folder: string },
): object {
  return {
    folder,
    conversation: chosen.conversation.id,
    direction: chosen.request.direction,
    state,
    changes: reverted,
    conflicts: conflicts.map(({ undoId, path, reason }) => ({ undoId, path, reason })),
    remaining,
  };
}
