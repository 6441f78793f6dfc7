import { createPaint, type Paint } from "@aiw/executor/node";
import type { CliIo } from "../io.ts";
import type { TextOutput } from "./standard-output.ts";

/** Colours for a terminal that can show them, and not when `NO_COLOR` is set. */
export function choosePaint(stream: TextOutput, { environment }: Pick<CliIo, "environment">): Paint {
  const { TERM, NO_COLOR } = environment;
  return createPaint(stream.isTTY === true && TERM !== "dumb", NO_COLOR);
}
