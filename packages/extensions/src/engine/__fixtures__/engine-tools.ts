import { defineTool, ToolError, type Tool, type ToolContext } from "@aiw/core";
import { z } from "zod";
import { BEHAVIOURS, type Behaviour } from "./engine-steps.ts";

/** Timers of tools that sleep on, whatever becomes of their call: they are nobody's but the tools'. */
const asleep = new Set<NodeJS.Timeout>();

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      asleep.delete(timer);
      resolve();
    }, ms);
    asleep.add(timer);
  });
}

/** Takes their timers from tools that sleep on, so that what is left is not theirs. */
export function forgetSleepers(): void {
  for (const timer of asleep) clearTimeout(timer);
  asleep.clear();
}

const hostile = (): object =>
  new Proxy(
    {},
    {
      get() {
        throw new Error("do not look");
      },
      getPrototypeOf() {
        throw new Error("do not look");
      },
      ownKeys() {
        throw new Error("do not look");
      },
    },
  );

/** What nobody expects to be thrown or given. */
const ODDITIES: readonly (() => unknown)[] = [
  () => Promise.reject("a text"),
  () => {
    throw null;
  },
  () => {
    throw hostile();
  },
  () => hostile(),
  () => ({
    get value(): never {
      throw new Error("a hostile getter");
    },
  }),
  () => Promise.reject(new Proxy(new Error("gone"), { get: () => undefined })),
  () => ({
    // eslint-disable-next-line unicorn/no-thenable -- what is tried here is what tools must not give
    then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
      resolve(1);
      reject(new Error("too late"));
      resolve(2);
    },
  }),
];

type Execute = (input: { readonly n: number }, context: ToolContext) => unknown;

const EXECUTE: Readonly<Record<Exclude<Behaviour, "nobody_has_it">, Execute>> = {
  value: ({ n }) => n,
  changing: ({ n }) => n,
  ask: ({ n }) => n,
  slow: async ({ n }) => {
    await sleep(n * 3);
    return n;
  },
  locked: async ({ n }) => {
    await sleep(n);
    return n;
  },
  hang: () => new Promise(() => undefined),
  obey: (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("obeyed")), { once: true });
    }),
  flaky: async ({ n }) => {
    await Promise.resolve();
    throw new ToolError("unavailable", "Not now.", { retryable: n % 2 === 0 });
  },
  odd: ({ n }) => ODDITIES[n % ODDITIES.length]?.(),
  twice: ({ n }) =>
    new Promise((resolve, reject) => {
      resolve(n);
      resolve(n + 1);
      reject(new Error("too late"));
    }),
  async *stream() {
    yield "a";
    await sleep(2);
    yield "b";
    return "c";
  },
  // Goes on talking, whatever became of its call.
  chatty: async ({ n }, { emitOutput, emitProgress, requestInput, callTool }) => {
    for (let said = 0; said < 12; said += 1) {
      await sleep(n);
      emitOutput("x");
      emitProgress({ progress: said });
    }
    void requestInput("late", { message: "Are you there?" }).catch(() => undefined);
    void callTool("value", { n });
    return n;
  },
  nest: (input, { callTool }) => callTool("ask", input),
  nest_and_leave: (input, { callTool }) => {
    void callTool("obey", input);
    void callTool("slow", input);
    return "left";
  },
  nest_deep: (input, { callTool }) => callTool("nest_deep", input),
  question: (_input, { requestInput }) => requestInput("name", { message: "Your name?" }),
};

const UNSAFE: ReadonlySet<Behaviour> = new Set(["ask", "changing"]);

/** Tools of every behaviour; `ask` and `changing` need a person's word, and `locked` has a resource to itself. */
export function makeEngineTools(version: number = 1): Tool[] {
  return BEHAVIOURS.filter((name) => name !== "nobody_has_it").map(
    (name) =>
      defineTool({
        name,
        description: name === "changing" ? `Works, version ${version}.` : "Works.",
        input: z.strictObject({ n: z.number() }),
        effects: UNSAFE.has(name)
          ? { readOnly: false, destructive: true, idempotent: true, openWorld: false }
          : { readOnly: name !== "locked", destructive: false, idempotent: true, openWorld: false },
        ...(name === "locked" && {
          assess: () => ({ decision: "allow" as const, reason: "It is one at a time.", resources: ["the one"] }),
        }),
        execute: EXECUTE[name] as never,
      }) as Tool,
  );
}

/** A tool whose calls end only when as many of them work at once as there are places. */
export function makeMeeting(places: number): Tool {
  const arrived: (() => void)[] = [];
  return defineTool({
    name: "meet",
    description: "Waits until everybody is there.",
    input: z.strictObject({ n: z.number() }),
    effects: "pure",
    execute: () =>
      new Promise<string>((resolve) => {
        arrived.push(() => resolve("met"));
        if (arrived.length === places) for (const go of arrived) go();
      }),
  }) as Tool;
}
