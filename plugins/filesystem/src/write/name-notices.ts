import type { WriteNotice } from "@aiw/core/node";

const NOTICES: Readonly<Record<WriteNotice, string>> = {
  hard_link_detached: "hard_link_detached: other names of the file keep the old content.",
  written_in_place: "written_in_place: the folder cannot be written, so readers may have seen a half-written file.",
  owner_changed: "owner_changed: the file could not be given back to its owner.",
  unchanged: "unchanged: the content was there already, nothing was written.",
  durability_unknown: "durability_unknown: the file is written but may not survive a crash of the system.",
};

/** Says in words what a caller should know of a write. */
export function nameNotices(notices: readonly WriteNotice[]): string[] {
  return notices.map((notice) => NOTICES[notice]);
}
