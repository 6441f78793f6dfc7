import type { LineSpan } from "../text/line-ranges.ts";
import type { Editable } from "./edit-target.ts";

/** What every edit of a call is judged by. */
export interface EditScope {
  readonly editable: Editable;
  readonly match: "exact" | "tolerant";
  /** The caller named the etag of the content that is there. */
  readonly isKnown: boolean;
  /** The file was seen with other content than it has. */
  readonly isStale: boolean;
  /** Lines seen of the content that is there. */
  readonly seen: readonly LineSpan[];
}
