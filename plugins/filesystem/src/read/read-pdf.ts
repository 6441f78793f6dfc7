import { filesystemError } from "../errors.ts";
import { showName } from "../files/show-name.ts";
import type { ByteSource } from "../text/byte-source.ts";
import type { WindowRequest } from "../text/read-window.ts";
import { openPdf, type OpenPdf } from "./open-pdf.ts";
import { showSections, type SectionView } from "./show-sections.ts";
import type { Section } from "./take-sections.ts";

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Shows the text of a PDF's pages, where the optional library that reads them is installed; else its facts.
 * @throws ToolError `too_large` where the file cannot be held in memory.
 */
export async function readPdf(source: ByteSource, request: WindowRequest, signal: AbortSignal): Promise<SectionView> {
  const { shown } = request;
  if (source.size > MOST_BYTES) {
    throw filesystemError("too_large", `The PDF has ${source.size} bytes; at most ${MOST_BYTES} are read: ${shown}`, {
      details: { size: source.size, max_bytes: MOST_BYTES },
    });
  }
  const bytes = new Uint8Array(await source.read(0, source.size));
  await using pdf = await openPdf(bytes, signal);
  const { pages } = pdf;
  if (pages === undefined || pages === 0)
    return factsOnly(source, shown, pages === 0 ? { problem: "it has none" } : pdf);
  const read: { problem?: string; hasText?: true } = {};
  const from = (first: number): AsyncIterable<Section> => readPages(pdf, { first, pages, read });
  const view = await showSections({ unit: "page", total: pages, from }, request);
  const notices = [
    ...(read.problem === undefined ? [] : [`${showName(shown)} is not read whole: ${read.problem}.`]),
    ...(read.hasText !== true && read.problem === undefined && view.count > 0
      ? [`No page shown has text; they may be pictures of text.`]
      : []),
  ];
  return { ...view, facts: { kind: "pdf", media_type: MEDIA_TYPE, ...view.facts }, notices };
}

const MEDIA_TYPE = "application/pdf";

interface PageWalk {
  readonly first: number;
  readonly pages: number;
  readonly read: { problem?: string; hasText?: true };
}

async function* readPages(pdf: OpenPdf, { first, pages, read }: PageWalk): AsyncGenerator<Section, void> {
  for (let number = first; number <= pages; number += 1) {
    const { text = "", problem, isOver } = await pdf.page(number);
    if (problem !== undefined) read.problem = `page ${number}: ${problem}`;
    if (text.trim() !== "") read.hasText = true;
    const shown = text.trim() === "" ? "[no text]" : text;
    // Also of a page that took too long: who reads on must not come to it again.
    yield { heading: `--- page ${number} of ${pages} ---`, text: problem === undefined ? shown : "[unreadable]" };
    if (isOver) return;
  }
}

function factsOnly(
  source: ByteSource,
  shown: string,
  { problem, isMissing }: Pick<OpenPdf, "problem" | "isMissing">,
): SectionView {
  const reason = isMissing
    ? 'the package unpdf, which reads PDFs, is not installed; the operator may run "npm install unpdf"'
    : (problem ?? "it cannot be read");
  return {
    facts: { kind: "pdf", media_type: MEDIA_TYPE },
    count: 0,
    body: [`[pdf, ${MEDIA_TYPE}, ${source.size} bytes; only its facts are given]`],
    notices: [`No page of ${showName(shown)} is shown: ${reason}.`],
  };
}
