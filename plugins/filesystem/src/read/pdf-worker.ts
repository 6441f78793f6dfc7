import { parentPort, workerData } from "node:worker_threads";
import type { PdfMessage } from "./open-pdf.ts";

// A thread for one file: what a page makes its reader do neither blocks the host nor outlives its time.
const send = (message: PdfMessage): void => parentPort?.postMessage(message);

try {
  const { getDocumentProxy } = await import("unpdf");
  const bytes = workerData as Uint8Array<ArrayBuffer>;
  const pdf = await getDocumentProxy(bytes, { useSystemFonts: false, verbosity: 0 });
  parentPort?.on("message", (number: number) => {
    void (async () => {
      try {
        const page = await pdf.getPage(number);
        const { items } = await page.getTextContent();
        page.cleanup();
        send({ text: items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("") });
      } catch (error) {
        send({ text: "", problem: toText(error) });
      }
    })();
  });
  send({ pages: pdf.numPages });
} catch (error) {
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  send(isMissing ? { isMissing: true } : { problem: toText(error) });
}

function toText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200).toWellFormed();
}
