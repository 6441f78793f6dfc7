import type { ToolResult } from "@aiw/core";
import type { AppliedChange, ChangeOutcome, WriteNotice } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { jsonSize, jsonTextSize } from "../result/json-size.ts";
import { takeFitting } from "../result/take-fitting.ts";
import { showDiff } from "../text/show-diff.ts";
import { nameNotices } from "../write/name-notices.ts";
import { boundFailures } from "./patch-failure.ts";
import type { PatchOutput } from "./patch-schema.ts";
import type { PatchPlan } from "./plan-patch.ts";
import type { PlannedSection } from "./planned-section.ts";

type FileOutput = PatchOutput["files"][number];

interface Description {
  /** Characters the result may take. */
  readonly room: number;
  /** What was written; absent in a dry run. */
  readonly outcome?: ChangeOutcome;
}

const MOST_DIFF_LINES = 200;
/** Of the room, what failures of a partial patch may take, and what is kept for diffs. */
const FAILURE_SHARE = 0.4;
const DIFF_SHARE = 0.25;

/** Says what a patch did, or would do, in as much room as there is. */
export function describePatch({ sections, failures }: PatchPlan, { room, outcome }: Description): PatchOutput {
  const listed = boundFailures(failures, Math.floor(room * FAILURE_SHARE));
  const notices = [...(outcome === undefined ? ["Dry run: nothing was written."] : outcome.notices)];
  if (failures.length > listed.length)
    notices.push(`${failures.length - listed.length} more parts of the patch failed.`);
  const output = {
    ...(failures.length > 0 && { failures: listed }),
    ...(outcome !== undefined && { group_id: outcome.groupId }),
  };
  const left = room - jsonSize({ ...output, notices });
  const all = sections.map((section, at) => toFile(section, changesOf(sections, at, outcome)));
  const files = takeFitting(all, left * (1 - DIFF_SHARE), (file) => jsonSize(file) + 1);
  if (files.length < all.length)
    notices.push(`${all.length - files.length} more files were patched and are not listed.`);
  addDiffs(files, sections, left - jsonSize(files));
  return { files, ...output, ...(notices.length > 0 && { notices }) };
}

/** The title of a change for people. */
export function titleOf(sections: readonly PlannedSection[]): string {
  const [first] = sections;
  return sections.length === 1 && first !== undefined
    ? `${DONE[first.op]} ${showName(first.shown)} with a patch`
    : `Patched ${sections.length} files`;
}

/** The preview of a result: how much of how many files, then the first of them. */
export function previewPatch(result: ToolResult<PatchOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { files, failures, group_id } = result.value;
  const sum = (side: "additions" | "deletions"): number => files.reduce((total, file) => total + file[side], 0);
  const verb = group_id === undefined ? "Would patch" : "Patched";
  const failed = failures === undefined ? "" : `, ${failures.length} parts failed`;
  const counts = `+${sum("additions")} −${sum("deletions")}`;
  const head = `${verb} ${files.length} ${files.length === 1 ? "file" : "files"} (${counts})${failed}`;
  const lines = files.map(({ op, path, moved_from, additions, deletions }) => {
    const name = moved_from === undefined ? showName(path) : `${showName(moved_from)} → ${showName(path)}`;
    return `  ${SIGNS[op]} ${name} +${additions} −${deletions}`;
  });
  const room = Math.max(0, maxLines - 1);
  if (lines.length <= room) return [head, ...lines].slice(0, maxLines);
  const shown = lines.slice(0, Math.max(0, room - 1));
  return [head, ...shown, `  … ${lines.length - shown.length} more`].slice(0, maxLines);
}

const DONE: Readonly<Record<PlannedSection["op"], string>> = {
  add: "Created",
  update: "Changed",
  move: "Moved",
  delete: "Deleted",
};
const SIGNS: Readonly<Record<PlannedSection["op"], string>> = { add: "A", update: "M", move: "R", delete: "D" };

/** The changes that were made for one section, in order. */
function changesOf(
  sections: readonly PlannedSection[],
  at: number,
  outcome: ChangeOutcome | undefined,
): readonly AppliedChange[] {
  const start = sections.slice(0, at).reduce((sum, { changes }) => sum + changes.length, 0);
  return outcome?.changes.slice(start, start + (sections[at]?.changes.length ?? 0)) ?? [];
}

function toFile(section: PlannedSection, applied: readonly AppliedChange[]): FileOutput {
  const { op, shown, movedFrom, additions, deletions, hunks } = section;
  const last = applied.at(-1);
  const written = [...new Set(applied.flatMap((change) => change.notices))].filter(isTelling);
  const notices = [...(section.notices ?? []), ...nameNotices(written)];
  return {
    path: shown,
    op,
    ...(movedFrom !== undefined && { moved_from: movedFrom }),
    ...(hunks.length > 0 && { edits: hunks.map((hunk) => ({ ...hunk, replacements: 1 })) }),
    additions,
    deletions,
    diff: "",
    ...(section.etag !== undefined && { etag: section.etag }),
    ...(last?.undoId !== undefined && { undo_id: last.undoId }),
    ...(notices.length > 0 && { notices }),
  };
}

/** Only a file whose mode changes is written with the content it had. */
function isTelling(notice: WriteNotice): boolean {
  return notice !== "unchanged";
}

/** Shares lines and characters among the files, the shortest diffs first, so that what they leave over goes to the longer ones. */
function addDiffs(files: FileOutput[], sections: readonly PlannedSection[], room: number): void {
  const order = files.map((_, at) => at).toSorted((left, right) => changed(files[left]) - changed(files[right]));
  let [lines, characters, waiting] = [MOST_DIFF_LINES, room, order.length];
  for (const at of order) {
    const [file, section] = [files[at], sections[at]];
    if (file === undefined || section === undefined) continue;
    const mostLines = Math.floor(lines / waiting);
    const mostCharacters = Math.floor(characters / waiting);
    waiting -= 1;
    if (mostLines < 3 || mostCharacters < 1) continue;
    const { before, after, differences: hunks } = section;
    file.diff = showDiff({ before, after, ...(hunks && { hunks }), path: file.path, mostLines, mostCharacters });
    lines -= file.diff === "" ? 0 : file.diff.split("\n").length;
    characters -= jsonTextSize(file.diff);
  }
}

function changed(file: FileOutput | undefined): number {
  return file === undefined ? 0 : file.additions + file.deletions;
}
