import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import type { CliIo } from "../io.ts";

/** How a question ended; an end of the input is a no. */
export type Answer = "yes" | "no" | "interrupted";

/** Milliseconds in which keys arrive that were pressed before the question was shown. */
const TYPED_AHEAD_MS = 20;

/** The key of an interrupt, as a terminal in raw mode gives it. */
const INTERRUPT_KEY = "\u0003";

/** Shows text and asks whoever sits at the terminal; no unless they say yes, and keys pressed before are no answer. */
export async function askYes(
  { text, question }: { readonly text: string; readonly question: string },
  io: Pick<CliIo, "stdin" | "stderr" | "onInterrupt">,
): Promise<Answer> {
  const { stdin: input, stderr: output } = io;
  const stop = new AbortController();
  const stopListening = io.onInterrupt(() => stop.abort());
  try {
    if ((await discardTypedAhead(input, output)) || stop.signal.aborted) return "interrupted";
    output.write(text);
    const lines = createInterface({ input, output, terminal: isTerminal(output) });
    const closed = Promise.withResolvers<undefined>();
    lines.once("close", () => closed.resolve(undefined));
    lines.once("SIGINT", () => stop.abort());
    try {
      // An input that has ended before closes nothing any more.
      const asked = input.readableEnded ? undefined : lines.question(`${question} [y/N] `, { signal: stop.signal });
      const answer = await Promise.race([asked?.catch(() => undefined), closed.promise]);
      if (answer === undefined) output.write("\n");
      if (stop.signal.aborted) return "interrupted";
      return answer !== undefined && /^\s*y(es)?\s*$/i.test(answer) ? "yes" : "no";
    } finally {
      lines.close();
    }
  } finally {
    stopListening();
  }
}

/** Empties what was typed while no question stood there; true for an interrupt. */
async function discardTypedAhead(input: CliIo["stdin"], output: CliIo["stderr"]): Promise<boolean> {
  let interrupted = false;
  const discard = (keys: unknown): void => {
    interrupted ||= String(keys).includes(INTERRUPT_KEY);
  };
  // A line that has no end yet reaches the process in raw mode alone, which is how the question reads.
  setRawMode(input, output, true);
  input.on("data", discard);
  await setTimeout(TYPED_AHEAD_MS);
  input.off("data", discard);
  input.pause();
  setRawMode(input, output, false);
  return interrupted;
}

function setRawMode(input: CliIo["stdin"], output: CliIo["stderr"], raw: boolean): void {
  if (isTerminal(output) && "setRawMode" in input && typeof input.setRawMode === "function")
    input.setRawMode.call(input, raw);
}

function isTerminal(output: CliIo["stderr"]): boolean {
  return "isTTY" in output && output.isTTY === true;
}
