import type { Approver } from "@aiw/executor";
import { terminalApprover } from "@aiw/executor/node";
import type { CliIo } from "../../io.ts";
import { choosePaint } from "../../output/choose-paint.ts";
import { oneLine } from "../../output/one-line.ts";

/** What a person said who was asked; undefined until they say no. */
export interface Answered {
  no: string | undefined;
}

/** Somebody at a terminal is asked; `--yes` answers for them; nobody means refusal. */
export function chooseApprover(
  yes: boolean,
  { io, answered }: { io: CliIo; answered: Answered },
): Approver | undefined {
  if (yes) return () => ({ decision: "allow" });
  if (!io.interactive) return undefined;
  const ask = terminalApprover({
    input: io.stdin,
    output: io.stderr,
    yesOrNo: true,
    paint: choosePaint(io.stderr, io),
  });
  return async (request, live) => {
    const answer = await ask(request, live);
    answered.no = answer.decision === "allow" ? undefined : (answer.reason ?? "");
    return answer;
  };
}

/** What a model would be told is no news to whoever just said no. */
export function sayDeclined(name: string, reason: string): string {
  return reason === "The person said no."
    ? `You said no: ${oneLine(name)} was not called.`
    : `${oneLine(name)} was not called: ${reason}`;
}
