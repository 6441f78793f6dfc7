import { STRONG_ETAG_BYTES } from "@aiw/core/node";
import { quoteName, showName } from "../files/show-name.ts";
import type { ByteSource } from "../text/byte-source.ts";
import { decodeBytes, UTF_8 } from "../text/charset.ts";
import type { WindowRequest } from "../text/read-window.ts";
import { parseNotebook } from "./parse-notebook.ts";
import { showSections, type SectionView } from "./show-sections.ts";

/**
 * Shows a notebook's cells. Gives `undefined` for what is no notebook after all, or is too large to be held: that is shown
 * as the text it is. Cells are no lines of the file, so nothing of it counts as seen.
 */
export async function readNotebook(source: ByteSource, request: WindowRequest): Promise<SectionView | undefined> {
  if (source.size > STRONG_ETAG_BYTES) return undefined;
  const text = decodeBytes(UTF_8, await source.read(0, source.size));
  const notebook = parseNotebook(text.replace(/^\ufeff/u, ""));
  if (notebook === undefined) return undefined;
  const { cells } = notebook;
  const view = await showSections(
    { unit: "cell", total: cells.length, from: (first) => cells.slice(first - 1) },
    request,
  );
  const call = `read(file_paths=[${quoteName(request.shown)}], encoding="utf-8")`;
  return {
    ...view,
    facts: { kind: "notebook", ...view.facts },
    body: cells.length === 0 ? ["[notebook has no cells]"] : view.body,
    notices: [`${showName(request.shown)} is shown by its cells; ${call} shows its JSON, whose lines may be edited.`],
  };
}
