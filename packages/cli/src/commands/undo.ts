import type { Command } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { oneLine } from "../output/one-line.ts";
import { printAnswer, printTalk } from "../output/print-prose.ts";
import { printJson } from "../output/print.ts";
import { chooseChanges, readUndoFlags } from "./undo/choose-changes.ts";
import { findConversations, type Conversation } from "./undo/find-conversations.ts";
import { findWorkspaces } from "./undo/find-workspaces.ts";
import { formatConversation } from "./undo/format-changes.ts";
import { takeBack, type UndoRun } from "./undo/take-back.ts";

/** `aiw undo` */
export const undo: Command = {
  name: "undo",
  summary: "Takes back what tools changed in files, also later",
  help: `Usage: aiw undo [--list] [--change ID] [--group ID] [--count N] [--conversation ID] [--redo] [--dry-run] [--yes] [--json] [--cwd DIR]

Takes back the newest change that a tool made to files of this folder, whichever conversation it was, after showing what that does
and asking. A file that somebody changed since is left alone: exit code 1, and nothing is changed.
--list             all changes that are remembered, by conversation
--change ID        this change alone, such as u12
--group ID         all changes of one call, such as g7
--count N          the last N calls of the conversation that changed something last
--conversation ID  changes of this conversation
--redo             makes again what was taken back last
--dry-run          shows what would be done, and does nothing
--yes              does not ask; needed where there is no terminal (else exit 3)`,
  options: {
    list: { type: "boolean" },
    change: { type: "string" },
    group: { type: "string" },
    count: { type: "string" },
    conversation: { type: "string" },
    redo: { type: "boolean" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean", short: "y" },
  },
  positionals: { min: 0, max: 0 },
  async run(invocation) {
    const flags = readUndoFlags(invocation.flags);
    await using conversations = await findConversations(await findWorkspaces(invocation), invocation.io.environment);
    const { found } = conversations;
    if (flags.isList) return listChanges(found, { invocation, flags });
    const chosen = chooseChanges(found, flags);
    if (chosen === undefined) return sayNothing({ invocation, flags });
    return await takeBack(chosen, { invocation, flags });
  },
};

function listChanges(found: readonly Conversation[], { invocation: { io, json, cwd }, flags }: UndoRun): ExitCode {
  const { conversation } = flags;
  const listed = found.filter(({ id }) => conversation === undefined || id === conversation);
  if (json) {
    const conversations = listed.map(({ journal: _, ...facts }) => facts);
    printJson(io.stdout, { folder: cwd, conversations });
  } else if (listed.length === 0) printAnswer(io, `No tool changed files of ${oneLine(cwd)}, as far as is remembered.`);
  else printAnswer(io, listed.map((one) => formatConversation(one, cwd)).join("\n\n"));
  return EXIT.ok;
}

function sayNothing({ invocation: { io, json, cwd }, flags }: UndoRun): ExitCode {
  const { direction } = flags;
  if (json) printJson(io.stdout, { folder: cwd, direction, state: "nothing" });
  printTalk(io, `Nothing to ${direction} in ${oneLine(cwd)}. To see what is remembered: aiw undo --list`);
  return EXIT.failed;
}
