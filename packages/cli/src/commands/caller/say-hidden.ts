import type { ToolRegistry } from "@aiw/core";
import type { CliIo } from "../../io.ts";
import { formatFact } from "../../output/format-report.ts";
import { nameSome } from "../../output/group-findings.ts";
import { printLine } from "../../output/print.ts";
import type { Selection } from "../select-tools.ts";
import { sayCaller, toFlags } from "./read-caller.ts";

/** Where it is said. */
export interface SayHiddenOptions {
  readonly registry: Pick<ToolRegistry, "config">;
  readonly io: Pick<CliIo, "stderr" | "talkColumns">;
}

/** Tells a person which tools the named caller is not offered, or that nothing tells callers apart. */
export function sayHidden(
  { viewer, hidden }: Pick<Selection, "viewer" | "hidden">,
  { registry: { config }, io }: SayHiddenOptions,
): void {
  if (viewer === undefined) return;
  const ids = hidden();
  const say = (text: string): void => printLine(io.stderr, formatFact("hidden", text, io.talkColumns));
  if (config.extensions?.auth === undefined)
    say("nothing: without extensions.auth every caller is offered the same tools");
  else if (ids.length > 0) {
    const what = ids.length === 1 ? "1 tool is" : `${ids.length} tools are`;
    say(`${what} not offered to ${sayCaller(viewer)}: ${nameSome(ids)}. Why: aiw why NAME ${toFlags(viewer)}`);
  }
}
