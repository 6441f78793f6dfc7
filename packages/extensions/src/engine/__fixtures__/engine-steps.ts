import fc from "fast-check";

/** What a tool does when it is called. */
export const BEHAVIOURS = [
  "value",
  "slow",
  "hang",
  "obey",
  "flaky",
  "odd",
  "twice",
  "stream",
  "chatty",
  "ask",
  "locked",
  "nest",
  "nest_and_leave",
  "nest_deep",
  "question",
  "changing",
  "nobody_has_it",
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Where what stands around calls may fail. */
export const FAILING_HOOKS = [
  "beforeExecute",
  "wrap",
  "executeWithin",
  "onEvent",
  "afterExecute",
  "onError",
  "onSuspend",
] as const;
export type FailingHook = (typeof FAILING_HOOKS)[number];

export const LISTENERS = ["quiet", "throws", "rejects", "calls", "aborts", "closes"] as const;
export type ListenerMood = (typeof LISTENERS)[number];

export const ANSWERS = ["allow", "turn", "session", "deny", "edit", "edit_wrong", "throw", "nonsense"] as const;
export type Answer = (typeof ANSWERS)[number];

export const RESUMPTIONS = ["allow", "deny", "none", "altered", "edit"] as const;
export type Resumption = (typeof RESUMPTIONS)[number];

/** One thing that happens to the engine; plain data, so that what a failure shrinks to can be read. */
export type Step =
  | {
      readonly do: "call";
      readonly tool: Behaviour;
      readonly id: number;
      readonly n: number;
      readonly how: "conversation" | "alone" | "suspend";
      readonly timeoutMs?: number;
      readonly key?: boolean;
      readonly wrong?: boolean;
    }
  | { readonly do: "abort"; readonly id: number }
  | { readonly do: "answer"; readonly answer: Answer }
  | { readonly do: "resume"; readonly which: number; readonly answer: Resumption }
  | { readonly do: "tick"; readonly ms: number }
  | { readonly do: "settle" }
  | { readonly do: "jump"; readonly hours: number }
  | { readonly do: "fail"; readonly hook: FailingHook | "nothing"; readonly stage: "judging" | "watching" }
  | { readonly do: "extension"; readonly change: "suspend" | "resume" | "unregister" | "register" }
  | { readonly do: "tools"; readonly change: "override" | "unregister" | "register" }
  | { readonly do: "listen"; readonly mood: ListenerMood }
  | { readonly do: "turn" }
  | { readonly do: "clear" }
  | { readonly do: "close"; readonly what: "conversation" | "executor" };

const id = fc.integer({ min: 0, max: 9 });

const call: fc.Arbitrary<Step> = fc.record(
  {
    do: fc.constant("call" as const),
    tool: fc.constantFrom(...BEHAVIOURS),
    id,
    n: fc.integer({ min: 0, max: 6 }),
    how: fc.constantFrom("conversation", "suspend", "alone"),
    timeoutMs: fc.integer({ min: 1, max: 40 }),
    key: fc.boolean(),
    wrong: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  },
  { requiredKeys: ["do", "tool", "id", "n", "how"] },
);

const one = <Kind extends Step>(
  weight: number,
  arbitrary: fc.Arbitrary<Kind>,
): { weight: number; arbitrary: fc.Arbitrary<Step> } => ({ weight, arbitrary });

/** Any step, the usual ones more often; the first named are what a failure shrinks to. */
const step: fc.Arbitrary<Step> = fc.oneof(
  one(40, call),
  one(10, fc.record({ do: fc.constant("tick" as const), ms: fc.integer({ min: 0, max: 40 }) })),
  one(16, fc.constant({ do: "settle" as const })),
  one(14, fc.record({ do: fc.constant("answer" as const), answer: fc.constantFrom(...ANSWERS) })),
  one(5, fc.record({ do: fc.constant("abort" as const), id })),
  one(
    12,
    fc.record({
      do: fc.constant("resume" as const),
      which: fc.nat({ max: 2 }),
      answer: fc.constantFrom(...RESUMPTIONS),
    }),
  ),
  one(2, fc.record({ do: fc.constant("jump" as const), hours: fc.constantFrom(-5, -1, 1, 30) })),
  one(
    4,
    fc.record({
      do: fc.constant("fail" as const),
      hook: fc.constantFrom("nothing", ...FAILING_HOOKS),
      stage: fc.constantFrom("judging", "watching"),
    }),
  ),
  one(
    2,
    fc.record({
      do: fc.constant("extension" as const),
      change: fc.constantFrom("suspend", "resume", "unregister", "register"),
    }),
  ),
  one(
    2,
    fc.record({ do: fc.constant("tools" as const), change: fc.constantFrom("override", "unregister", "register") }),
  ),
  one(1, fc.record({ do: fc.constant("listen" as const), mood: fc.constantFrom(...LISTENERS) })),
  one(2, fc.constant({ do: "turn" as const })),
  one(1, fc.constant({ do: "clear" as const })),
  one(1, fc.record({ do: fc.constant("close" as const), what: fc.constantFrom("conversation", "executor") })),
);

/** What happens from first to last; as many steps as make calls meet each other. */
export const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 1, maxLength: 40, size: "max" });
