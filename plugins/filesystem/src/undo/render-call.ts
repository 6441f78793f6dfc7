import { quoteName } from "../files/show-name.ts";
import type { Direction, RevertInput } from "./revert-schema.ts";

/** Spells a call of `undo` or `redo` as a model can make it; what is at its default is left out. */
export function renderCall(direction: Direction, input: Partial<RevertInput>): string {
  const { count = 1, undo_id, group_id, path, merge = false, dry_run = false } = input;
  const given = [
    ...(count === 1 ? [] : [`count=${count}`]),
    ...(undo_id === undefined ? [] : [`undo_id=${quoteName(undo_id)}`]),
    ...(group_id === undefined ? [] : [`group_id=${quoteName(group_id)}`]),
    ...(path === undefined ? [] : [`path=${quoteName(path)}`]),
    ...(merge ? ["merge=true"] : []),
    ...(dry_run ? ["dry_run=true"] : []),
  ];
  return `${direction}(${given.join(", ")})`;
}
