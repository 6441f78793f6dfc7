/** One line of a hunk. */
export interface HunkLine {
  /** What becomes of it: it stays, goes, or comes. */
  readonly sign: " " | "-" | "+";
  /** Without its ending. */
  readonly text: string;
  /** Whether a carriage return stood before the line feed. */
  readonly hasReturn: boolean;
}

/** One place of a file that changes. */
export interface Hunk {
  /** Where it begins in the patch, from 1. */
  readonly patchLine: number;
  /** Texts after `@@`, the outermost first. */
  readonly anchors: readonly string[];
  /** The first old line by its header, from 1; a claim that only breaks ties. */
  readonly oldStart?: number;
  readonly lines: readonly HunkLine[];
  /** The last old line is the last of the file. */
  readonly isAtEnd: boolean;
  /** The last old line is said to have no line feed. */
  readonly oldIsBare: boolean;
  /** The last new line is said to have no line feed. */
  readonly newIsBare: boolean;
}

interface Section {
  /** As the patch spells it. */
  readonly path: string;
  /** Where it begins in the patch, from 1. */
  readonly patchLine: number;
}

/** A file that comes to be. */
export interface AddSection extends Section {
  readonly op: "add";
  readonly lines: readonly Omit<HunkLine, "sign">[];
  /** The last line has no line feed. */
  readonly isBare: boolean;
  readonly executable?: boolean;
}

/** A file that changes, moves, or both. */
export interface UpdateSection extends Section {
  readonly op: "update";
  readonly movedTo?: string;
  readonly hunks: readonly Hunk[];
  readonly executable?: boolean;
}

/** A file that goes. */
export interface DeleteSection extends Section {
  readonly op: "delete";
  /** What the patch says the file holds; none where it says nothing. */
  readonly hunks: readonly Hunk[];
}

/** What a patch does to one file. */
export type PatchSection = AddSection | UpdateSection | DeleteSection;

/** A patch in whichever format it came. */
export interface Patch {
  readonly sections: readonly PatchSection[];
}
