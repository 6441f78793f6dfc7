import type { ToolContext, ToolError } from "@aiw/core";
import { openWorkspace, type Workspace } from "@aiw/core/node";
import type { StructuredPatchHunk } from "diff";
import { filesystemError } from "../errors.ts";
import { findWantedEnding } from "../files/editor-config.ts";
import { quoteName } from "../files/show-name.ts";
import type { FilesystemOptions } from "../options.ts";
import { readStateKey, type ReadState } from "../read-state.ts";
import { jsonSize } from "../result/json-size.ts";
import { countHunks } from "../text/count-hunks.ts";
import { diffHunks } from "../text/diff-hunks.ts";
import { countTextLines } from "../text/line-endings.ts";
import { refuseOmission } from "../text/refuse-omission.ts";
import { showDiff } from "../text/show-diff.ts";
import { assertExpected, assertKnown } from "./assert-known.ts";
import { assertWritable } from "./assert-writable.ts";
import { commitFile, type CommittedFile } from "./commit-file.ts";
import { encodeContent, endLines, type EncodedContent } from "./encode-content.ts";
import { loadTarget, type Target } from "./load-target.ts";
import { spellWrite } from "./spell-write.ts";
import type { WriteInput, WriteOutput } from "./write-schema.ts";

const MOST_DIFF_LINES = 200;
const LONG_FILE_LINES = 50;

/** Writes a text file after everything that speaks against it has been looked at. */
export async function writeText(input: WriteInput, context: ToolContext<FilesystemOptions>): Promise<WriteOutput> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const state = await context.session.get(readStateKey);
  const { signal, maxResultCharacters } = context;
  const plan = await planWrite(input, {
    workspace,
    state,
    signal,
    ...(maxResultCharacters !== undefined && { maxResultCharacters }),
  });
  if (input.dry_run) return await describe(plan, workspace);
  const change = await commit(plan, { workspace, context });
  remember(plan, state, change);
  return toOutput(plan, {
    created: change.op === "create",
    bytes_written: change.bytesWritten,
    etag: change.etag,
    ...(change.undoId !== undefined && { undo_id: change.undoId }),
    notices: [...plan.notices, ...change.notices],
  });
}

async function commit(
  { input, shown, target, encoded, hunks }: WritePlan,
  place: { readonly workspace: Workspace; readonly context: ToolContext<FilesystemOptions> },
): Promise<CommittedFile> {
  const options = {
    mode: input.mode,
    createDirs: true,
    ...(target !== undefined && { expectedEtag: target.etag }),
    ...(input.executable !== undefined && { executable: input.executable }),
  };
  const lines = hunks === undefined ? undefined : countHunks(hunks);
  const verb = target === undefined ? "Created" : "Wrote";
  const file = { tool: "write", verb, shown, path: input.path, bytes: encoded.bytes, options };
  return await commitFile({ ...file, ...(lines !== undefined && { lines }) }, place);
}

/** A write that nothing speaks against. */
interface WritePlan {
  readonly input: WriteInput;
  readonly shown: string;
  readonly target: Target | undefined;
  readonly encoded: EncodedContent;
  /** The whole text before and after, where it is at hand. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What differs between them. */
  readonly hunks: readonly StructuredPatchHunk[] | undefined;
  readonly notices: readonly string[];
  readonly maxResultCharacters: number | undefined;
}

interface PlanScope {
  readonly workspace: Workspace;
  readonly state: ReadState;
  readonly signal: AbortSignal;
  readonly maxResultCharacters?: number;
}

async function planWrite(input: WriteInput, scope: PlanScope): Promise<WritePlan> {
  const { workspace, state, signal, maxResultCharacters } = scope;
  const absolute = workspace.resolve(input.path);
  const shown = workspace.display(absolute);
  await workspace.assertMayWrite(input.path);
  const target = await loadTarget(workspace, input.path, signal);
  assertThereOrNot(input, { target, shown, state });
  refuseOmission(input.content, { old: target?.text ?? "", path: input.path, shown });
  const text = await endLines(input, target, async () => await findWantedEnding(workspace, absolute));
  if (target !== undefined) {
    const replacement = {
      shown,
      text: input.mode === "append" ? `${target.text ?? ""}${text}` : text,
      expectedEtag: input.expected_etag,
      ...(maxResultCharacters !== undefined && { maxResultCharacters }),
    };
    if (input.mode === "append") assertExpected(target, replacement);
    else assertKnown(target, state, replacement);
  }
  const encoded = encodeContent(text, { input, target, shown });
  const before = target === undefined ? "" : target.text;
  const after = input.mode === "append" ? (before === undefined ? undefined : before + encoded.text) : encoded.text;
  const notices = warnOfLoss(input, before, after);
  const hunks = diffIfKnown(before, after);
  return { input, shown, target, encoded, before, after, hunks, notices, maxResultCharacters };
}

function diffIfKnown(before: string | undefined, after: string | undefined): WritePlan["hunks"] {
  return before === undefined || after === undefined ? undefined : diffHunks(before, after);
}

/** @throws ToolError `already_exists` for a file that is not to be there, or `conflict` for one that is not there and was to be. */
function assertThereOrNot(
  input: WriteInput,
  { target, shown, state }: { readonly target: Target | undefined; readonly shown: string; readonly state: ReadState },
): void {
  if (target !== undefined && input.mode === "create") {
    throw alreadyExists(input, { shown, isKnown: target.size === 0 || state.covers(target.realPath, target.etag) });
  }
  if (target === undefined && input.expected_etag !== undefined) {
    throw filesystemError("conflict", `The file expected to have this etag does not exist: ${shown}`, {
      suggestion: spellWrite(input, { expected_etag: undefined }, "Repeat the write without expected_etag."),
    });
  }
}

function alreadyExists(
  input: WriteInput,
  { shown, isKnown }: { readonly shown: string; readonly isKnown: boolean },
): ToolError {
  const call = spellWrite(input, { mode: "overwrite" }, 'the same write with mode="overwrite"');
  const first = isKnown ? "" : `read(file_paths=[${quoteName(shown)}]), then `;
  return filesystemError("already_exists", `The file exists: ${shown}`, {
    suggestion: `To replace it: ${first}${call}`,
  });
}

/** A long file that becomes less than half as long has often been summarised by mistake. */
function warnOfLoss({ mode }: WriteInput, before: string | undefined, after: string | undefined): string[] {
  if (mode !== "overwrite" || before === undefined || after === undefined) return [];
  const [old, young] = [countTextLines(before), countTextLines(after)];
  if (old <= LONG_FILE_LINES || young * 2 >= old) return [];
  return [`The file had ${old} lines and now has ${young}: check that nothing was lost.`];
}

/** Tells what a write would do; what only the disk could refuse is looked at here. */
async function describe(plan: WritePlan, workspace: Workspace): Promise<WriteOutput> {
  const { input, shown, target, encoded, before, after } = plan;
  await assertWritable(workspace, input.path, { shown, exists: target !== undefined });
  const what =
    target !== undefined && after !== undefined && before === after
      ? "the content is there already"
      : `${encoded.bytes.length} bytes would be`;
  return toOutput(plan, {
    created: target === undefined,
    bytes_written: 0,
    notices: [`Dry run: nothing was written; ${what}.`, ...plan.notices],
  });
}

function toOutput(
  { shown, before, after, hunks, maxResultCharacters: most = Number.POSITIVE_INFINITY }: WritePlan,
  {
    created,
    bytes_written,
    etag,
    undo_id,
    notices,
  }: Pick<WriteOutput, "created" | "bytes_written" | "etag" | "undo_id"> & { readonly notices: string[] },
): WriteOutput {
  const output = {
    path: shown,
    created,
    bytes_written,
    ...(after !== undefined && { lines: countTextLines(after) }),
    ...(etag !== undefined && { etag }),
    ...(undo_id !== undefined && { undo_id }),
    diff: "",
    ...(notices.length > 0 && { notices }),
  };
  if (before === undefined || after === undefined || hunks === undefined) return output;
  const mostCharacters = most - jsonSize(output);
  return {
    ...output,
    diff: showDiff({ before, after, hunks, path: shown, mostLines: MOST_DIFF_LINES, mostCharacters }),
  };
}

/** Whoever wrote the lines knows them; of an appended file that is only the new end. */
function remember(
  { input, target, before, after }: WritePlan,
  state: ReadState,
  { path: realPath, etag }: CommittedFile,
): void {
  if (after === undefined) {
    state.forget(realPath);
    return;
  }
  const totalLines = countTextLines(after);
  const all: [number, number][] = totalLines === 0 ? [] : [[1, totalLines]];
  if (input.mode !== "append" || target === undefined || target.size === 0) {
    state.mark(realPath, { etag, totalLines, ranges: all });
    return;
  }
  const isWhole = state.covers(target.realPath, target.etag);
  const seen = state.seenAt(target.realPath, target.etag)?.ranges ?? [];
  const first = countTextLines(before ?? "") + 1;
  const added: [number, number][] = first > totalLines ? [] : [[first, totalLines]];
  state.mark(realPath, { etag, totalLines, ranges: isWhole ? all : [...seen, ...added] });
}
