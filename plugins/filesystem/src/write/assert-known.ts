import type { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import type { ReadState } from "../read-state.ts";
import { jsonSize } from "../result/json-size.ts";
import { isText } from "../text/detect-text.ts";
import { showDiff } from "../text/show-diff.ts";
import type { Target } from "./load-target.ts";

/** What is to replace a file, and what the caller says of the file. */
export interface Replacement {
  /** As results name the file. */
  readonly shown: string;
  /** The text that is to be there. */
  readonly text: string;
  readonly expectedEtag: string | undefined;
  /** What of a result reaches the model. */
  readonly maxResultCharacters?: number;
}

const WHOLE_BYTES = 1024 * 1024;
const CONFLICT_LINES = 10;

/**
 * Lets a file be replaced only by somebody who knows what is in it now: it was shown whole, or its etag is given.
 * @throws ToolError `unread_target`, or `conflict` when what is known is of other content.
 */
export function assertKnown(target: Target, state: ReadState, replacement: Replacement): void {
  const { realPath, etag, size } = target;
  if (replacement.expectedEtag !== undefined) {
    assertExpected(target, replacement);
    return;
  }
  if (size === 0 || state.covers(realPath, etag)) return;
  if (state.stale(realPath, etag)) throw conflict(target, replacement);
  throw unread(target, replacement, state.firstUnseen(realPath, etag));
}

/**
 * Compares the content the caller believes in with what is there.
 * @throws ToolError `conflict`, with the etag of what is there and how it differs from what was to be written.
 */
export function assertExpected(target: Target, replacement: Replacement): void {
  if (replacement.expectedEtag !== undefined && replacement.expectedEtag !== target.etag)
    throw conflict(target, replacement);
}

function conflict({ etag, text }: Target, { shown, text: wanted }: Replacement): ToolError {
  const diff =
    text === undefined ? "" : showDiff({ before: text, after: wanted, path: shown, mostLines: CONFLICT_LINES });
  return filesystemError("conflict", `The file is not what it was when it was read: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}]), then repeat the write on what it holds now.`,
    details: { etag, ...(diff !== "" && { diff }) },
  });
}

function unread(
  target: Target,
  { shown, maxResultCharacters }: Replacement,
  firstUnseen: number | undefined,
): ToolError {
  const { etag, holds } = target;
  if (!isText(holds)) {
    return filesystemError(
      "unread_target",
      `The file is no text that could be shown before it is overwritten: ${shown}`,
      {
        suggestion: `To replace it all the same, pass expected_etag=${JSON.stringify(etag)}.`,
        details: { kind: holds.kind, etag },
      },
    );
  }
  const path = quoteName(shown);
  const rest = canShowWhole(target, maxResultCharacters)
    ? `read_file(path=${path})`
    : `read(file_paths=[${path}], offset=${firstUnseen})`;
  const seen =
    firstUnseen === undefined
      ? "has not been read in this conversation"
      : `has only been read in part, line ${firstUnseen} not`;
  return filesystemError(
    "unread_target",
    `The file ${seen}, so it is not overwritten without expected_etag, the files[].etag that read gives: ${shown}`,
    {
      suggestion: firstUnseen === undefined ? `read(file_paths=[${path}])` : rest,
    },
  );
}

/** Whether `read_file` would give the text. */
function canShowWhole({ size, text }: Target, most: number = Number.POSITIVE_INFINITY): boolean {
  return size <= WHOLE_BYTES && text !== undefined && jsonSize(text) <= most;
}
