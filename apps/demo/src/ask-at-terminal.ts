import { setTimeout } from "node:timers/promises";
import { terminalApprover } from "@aiw/executor/node";
import type { Approver } from "@aiw/executor";

/** Milliseconds in which keys and signals arrive that are on their way. */
const SETTLE_MS = 20;

/** Asks at the terminal of this process; keys pressed before the question is shown are no answer to it. */
export function askAtTerminal(): Approver {
  const ask = terminalApprover();
  let former: Promise<unknown> = Promise.resolve();
  return (request, options) => {
    const answer = former.then(async () => {
      await discardTypedAhead(process.stdin);
      return await ask(request, options);
    });
    // Ctrl-C ends the question and then reaches this process as a signal, which must arrive before the agent goes on.
    former = answer.then(
      () => setTimeout(SETTLE_MS),
      () => undefined,
    );
    return former.then(() => answer);
  };
}

async function discardTypedAhead(input: NodeJS.ReadStream): Promise<void> {
  const discard = (): void => undefined;
  input.on("data", discard);
  await setTimeout(SETTLE_MS);
  input.off("data", discard);
  input.pause();
}
