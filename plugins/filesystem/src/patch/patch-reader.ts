import type { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";

/** One line of a patch. */
export interface PatchLine {
  /** Without its ending. */
  readonly text: string;
  readonly hasReturn: boolean;
  /** From 1, in the patch as it was sent. */
  readonly number: number;
}

const SHOWN_CHARACTERS = 120;

/** The lines of a patch and how far they have been read. */
export class PatchReader {
  readonly #lines: readonly PatchLine[];
  #at = 0;

  constructor(lines: readonly PatchLine[]) {
    this.#lines = lines;
  }

  /** The line `ahead` of the one that comes next; `undefined` past the end. */
  peek(ahead = 0): PatchLine | undefined {
    return this.#lines[this.#at + ahead];
  }

  /** Takes the next line; `undefined` at the end. */
  next(): PatchLine | undefined {
    const line = this.#lines[this.#at];
    if (line !== undefined) this.#at += 1;
    return line;
  }

  /** Number of the line that comes next, or would. */
  get number(): number {
    return this.peek()?.number ?? (this.#lines.at(-1)?.number ?? 0) + 1;
  }

  /** Says what the grammar expected at a line, the next one unless given. */
  expected(what: string, line: PatchLine | undefined = this.peek()): ToolError {
    return invalidPatch(what, line ?? { number: this.number });
  }
}

/** Says what the grammar expected where in a patch. */
export function invalidPatch(
  expected: string,
  { number, text }: { readonly number: number; readonly text?: string },
): ToolError {
  const found = text === undefined ? "the end of the patch" : JSON.stringify(shorten(text));
  return filesystemError("invalid_patch", `Line ${number} of the patch: expected ${expected}, found ${found}.`, {
    suggestion: EXAMPLE,
    details: { line: number, expected, ...(text !== undefined && { text: shorten(text) }) },
  });
}

const EXAMPLE = String.raw`A working call: apply_patch(patch="*** Begin Patch\n*** Update File: src/a.ts\n@@\n kept line\n-old line\n+new line\n*** End Patch").`;

function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : text.toWellFormed();
}
