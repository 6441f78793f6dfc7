import type { RevertRequest } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { renderCall } from "./render-call.ts";
import type { Direction, RevertInput } from "./revert-schema.ts";

/**
 * Says to the journal what is asked for.
 * @throws ToolError `invalid_input` where changes are named in two ways: guessing one of them could take back the wrong change.
 */
export function toRevertRequest(direction: Direction, input: RevertInput): RevertRequest {
  const { count, undo_id, group_id, path, dry_run } = input;
  const named = Object.entries({ undo_id, group_id, path }).filter(([, value]) => value !== undefined);
  const [first] = named;
  if (named.length > 1 || (first !== undefined && count !== 1)) {
    const names = [...named.map(([name]) => name), ...(count === 1 ? [] : ["count"])];
    throw filesystemError(
      "invalid_input",
      `Expected one of count, undo_id, group_id and path, received ${names.join(" and ")}.`,
      {
        suggestion: renderCall(direction, Object.fromEntries(first === undefined ? [] : [first])),
      },
    );
  }
  return {
    direction,
    ...(first === undefined && { count }),
    ...(undo_id !== undefined && { undoId: undo_id }),
    ...(group_id !== undefined && { groupId: group_id }),
    ...(path !== undefined && { path }),
    ...(dry_run && { dryRun: true }),
  };
}
