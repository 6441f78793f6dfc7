import os from "node:os";
import path from "node:path";

/** The one command that the demo allows without asking. */
export const ALLOWED_COMMAND = "git status";

/** What the default task is about. */
export interface TaskPlaces {
  readonly pageUrl: string;
  readonly report: string;
  /** A file that may go. */
  readonly spare: string;
}

/** Asks for things that work and for two that must not: outside every root, and unsafe. */
export function createDefaultTask({ pageUrl, report, spare }: TaskPlaces): string {
  const outside = path.join(os.tmpdir(), "aiw-demo-outside.txt");
  return [
    "Look at this repository: what is it, which packages does it have, find where `defineTool` is defined,",
    `run \`${ALLOWED_COMMAND}\`, fetch the page at ${pageUrl}, and write a report to ${report}.`,
    `Also try to write "hello" to ${outside} and run \`rm ${spare}\`.`,
  ].join(" ");
}

/** The page the default task fetches: what this run may do. */
export function createPage(report: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>What this run may do</title></head>
<body>
<nav><a href="/">home</a></nav>
<main>
<h1>What this run may do</h1>
<p>The demo serves this page on the loopback interface. Its configuration opens exactly this address to
<code>web_fetch</code>; every other address that is not public stays closed.</p>
<table>
<tr><th>Call</th><th>Without a terminal</th></tr>
<tr><td>Read, search and list files</td><td>allowed</td></tr>
<tr><td>Run <code>${ALLOWED_COMMAND}</code></td><td>allowed by a rule</td></tr>
<tr><td>Write <code>${escapeHtml(report)}</code></td><td>allowed by a rule</td></tr>
<tr><td>Any other unsafe call</td><td>refused, with a reason the agent reads</td></tr>
</table>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
