import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { Duplex, PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IsolatedProcess } from "./isolated-process.ts";

/** A process that says what a test makes it say. */
function fakeProcess(): {
  process: IsolatedProcess;
  say(line: string): void;
  readonly ended: () => boolean;
  exit(): void;
} {
  const [fromChild, toChild] = [new PassThrough(), new PassThrough()];
  const stream = Duplex.from({ readable: fromChild, writable: toChild });
  const end = Promise.withResolvers<{ code: number | null; signal: string | null }>();
  let isEnded = false;
  const child = Object.assign(new EventEmitter(), {
    stdio: [null, null, null, stream],
    stderr: null,
    ref() {},
    unref() {},
  }) as unknown as ChildProcess;
  const process = new IsolatedProcess(
    {
      child,
      sandboxed: false,
      ended: end.promise,
      end: async () => {
        isEnded = true;
        end.resolve({ code: null, signal: "SIGKILL" });
      },
    },
    { packageKey: "@acme/hostile", idleMs: 60_000, limitMs: 60_000 },
  );
  return {
    process,
    say: (line) => void fromChild.write(`${line}\n`),
    ended: () => isEnded,
    exit: () => end.resolve({ code: 3, signal: null }),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe("IsolatedProcess", () => {
  it("gives an answer to the work it names, and to no other", async () => {
    const { process, say } = fakeProcess();
    const [one, two] = [process.ask({ t: "end_session", session: 1 }), process.ask({ t: "end_session", session: 2 })];
    say(JSON.stringify({ t: "done", id: two.id, value: "two" }));
    say(JSON.stringify({ t: "done", id: two.id, value: "again" }));
    say(JSON.stringify({ t: "done", id: 999, value: "nobody's" }));
    say(JSON.stringify({ t: "done", id: one.id, value: "one" }));
    expect(await Promise.all([one.outcome, two.outcome])).toMatchObject([{ value: "one" }, { value: "two" }]);
  });

  it("outlives any message, and ends a process that sends too much nonsense", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 10 }), async (messages) => {
        const { process, say } = fakeProcess();
        const { id, outcome } = process.ask({ t: "end_session", session: 1 });
        for (const message of messages) say(JSON.stringify(message));
        for (const t of ["ask", "log", "progress", "output"]) say(JSON.stringify({ t, id, ["__proto__x"]: messages }));
        say(JSON.stringify({ t: "done", id, value: "still" }));
        expect(await outcome).toMatchObject({ value: "still" });
      }),
      { numRuns: 30 },
    );
    const { say, ended } = fakeProcess();
    for (let count = 0; count < 1100; count += 1) say("{}");
    await settle();
    expect(ended()).toBe(true);
  });

  it("ends a process that sends no JSON, and fails its work", async () => {
    const { process, say } = fakeProcess();
    const { outcome } = process.ask({ t: "end_session", session: 1 });
    say("rubbish");
    await expect(outcome).rejects.toMatchObject({ code: "isolated_process_ended", settled: true });
  });

  it("tells work that was alone when its process left that trying again is no use", async () => {
    const alone = fakeProcess();
    const { outcome } = alone.process.ask({ t: "end_session", session: 1 });
    alone.exit();
    await expect(outcome).rejects.toMatchObject({ retryable: false });
    const shared = fakeProcess();
    const works = [1, 2].map((session) => shared.process.ask({ t: "end_session", session }).outcome);
    shared.exit();
    for (const work of works) await expect(work).rejects.toMatchObject({ retryable: true });
  });

  it("fails work that is asked of it after its end", async () => {
    const { process, exit } = fakeProcess();
    exit();
    await settle();
    await expect(process.ask({ t: "end_session", session: 1 }).outcome).rejects.toMatchObject({
      code: "isolated_process_ended",
    });
  });
});
