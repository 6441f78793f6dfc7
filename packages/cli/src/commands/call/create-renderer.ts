import type { ActivityListener } from "@aiw/core";
import { createTerminalRenderer } from "@aiw/executor/node";
import type { CliIo } from "../../io.ts";
import { choosePaint } from "../../output/choose-paint.ts";
import { printText } from "../../output/print.ts";
import { wrapLines } from "../../output/wrap-lines.ts";

/** Shows what happens while a call runs. */
export interface CallRenderer {
  readonly show: ActivityListener;
  /** Ends a line of output that the tool left open, so that nothing is glued to it. */
  endLine(): void;
}

/** Output as it comes; what happens around it in lines. */
export function createRenderer({
  stderr,
  environment,
  talkColumns,
}: Pick<CliIo, "stderr" | "environment" | "talkColumns">): CallRenderer {
  let isOpen = false;
  const endLine = (): void => {
    if (isOpen) stderr.write("\n");
    isOpen = false;
  };
  const show = createTerminalRenderer({
    paint: choosePaint(stderr, { environment }),
    writeLine: (line) => {
      endLine();
      // What is foreign in it is plain already.
      stderr.write(`${wrapLines(line, talkColumns)}\n`);
    },
    writeOutput: (text) => {
      if (text !== "") isOpen = !text.endsWith("\n");
      printText(stderr, text);
    },
  });
  return { show, endLine };
}
