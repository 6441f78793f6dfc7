import type { ToolError } from "@aiw/core";
import type { Candidate } from "../edit/suggest-candidates.ts";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { jsonSize } from "../result/json-size.ts";
import type { FailedHunk } from "./apply-hunks.ts";
import type { PatchSection } from "./patch-file.ts";

/** One part of a patch that was not applied, as results list it. */
export interface PatchFailure {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** Line of the patch. */
  readonly patch_line: number;
  /** Which hunk of its file, from 1. */
  readonly hunk?: number;
  /** Lines of the file. */
  readonly lines?: number[];
  /** Places most like the old lines. */
  readonly candidates?: Candidate[];
  readonly suggestion?: string;
}

const DETAILS_CHARACTERS = 12_000;
const CONTEXT_LINES = 5;
/** What a failure takes beside its message, its suggestion and its details. */
const ENVELOPE_CHARACTERS = 300;

/** Says why hunks of a file were not applied. */
export function toHunkFailures(section: PatchSection, shown: string, hunks: readonly FailedHunk[]): PatchFailure[] {
  return hunks.map(({ code, reason, number, patchLine, lines, candidates }) => ({
    path: shown,
    code,
    message: `Hunk ${number + 1} of ${shown} (line ${patchLine} of the patch): ${reason}.`,
    patch_line: patchLine,
    hunk: number + 1,
    ...(lines !== undefined && { lines: [...lines] }),
    ...(candidates !== undefined && { candidates: [...candidates] }),
    suggestion: suggest(code, { shown, lines, candidates, op: section.op }),
  }));
}

/** Says why a file of the patch was not touched. */
export function toFileFailure(section: PatchSection, shown: string, error: ToolError): PatchFailure {
  return {
    path: shown,
    code: error.code,
    message: error.message,
    patch_line: section.patchLine,
    ...(error.suggestion !== undefined && { suggestion: error.suggestion }),
  };
}

interface Hint {
  readonly shown: string;
  readonly lines: readonly number[] | undefined;
  readonly candidates: FailedHunk["candidates"];
  readonly op: PatchSection["op"];
}

function suggest(code: FailedHunk["code"], { shown, lines, candidates }: Hint): string {
  const path = quoteName(shown);
  const from = candidates?.[0]?.first_line ?? lines?.[0];
  const to = candidates?.[0]?.last_line ?? lines?.at(-1);
  if (from === undefined || to === undefined) {
    if (code === "already_applied")
      return `Leave the hunk out of the patch; read(file_paths=[${path}]) shows the file.`;
    return `read(file_paths=[${path}]), then repeat the hunk with lines as they are there.`;
  }
  const offset = Math.max(1, from - CONTEXT_LINES);
  const call = `read(file_paths=[${path}], offset=${offset}, limit=${Math.min(200, to - offset + 1 + CONTEXT_LINES)})`;
  if (code === "already_applied") return `Leave the hunk out of the patch; ${call} shows its new lines.`;
  if (code === "ambiguous_match")
    return `${call}, then add lines around the ones meant, or @@ with the line of its function.`;
  return `${call}, then repeat the hunk with lines as they are there.`;
}

/** One failure for the whole patch: the first one's code, all of them in the details as far as they fit. */
export function toPatchError(
  failures: readonly PatchFailure[],
  { room, cause }: { readonly room: number; readonly cause: unknown },
): ToolError {
  const [first] = failures;
  const code = (first?.code ?? "no_match") as "no_match";
  const others = failures.length - 1;
  const more =
    others === 0 ? "" : ` ${others === 1 ? "Another part" : `${others} other parts`} failed too; see failures.`;
  const message = `Nothing was changed. ${first?.message ?? ""}${more}`;
  const spokenFor = ENVELOPE_CHARACTERS + jsonSize(message) + jsonSize(first?.suggestion ?? "");
  return filesystemError(code, message, {
    ...(first?.suggestion !== undefined && { suggestion: first.suggestion }),
    details: {
      failures: boundFailures(failures, Math.min(DETAILS_CHARACTERS, room - spokenFor)).map((failure) =>
        others === 0 ? withoutWords(failure) : failure,
      ),
      ...(others > 0 && { failed: failures.length }),
    },
    cause,
  });
}

/** What the failure itself says is not said again in its details. */
function withoutWords({ message: _, suggestion: __, ...facts }: PatchFailure): Omit<PatchFailure, "message"> {
  return facts;
}

/** Keeps as many failures as fit, without their candidates where these are what does not. */
export function boundFailures(failures: readonly PatchFailure[], room: number): PatchFailure[] {
  let left = room;
  const kept: PatchFailure[] = [];
  for (const failure of failures) {
    const { candidates: _, ...short } = failure;
    const shown = [failure, short].find((one) => jsonSize(one) <= left);
    if (shown === undefined) break;
    left -= jsonSize(shown);
    kept.push(shown);
  }
  return kept;
}
