import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { z } from "zod";
import {
  defineErrorCodes,
  defineTool,
  defineToolPackage,
  sessionKey,
  ToolError,
  type Tool,
  type ToolContext,
  type ToolPackage,
} from "@aiw/core";

const fail = defineErrorCodes({ fixture_busy: { type: "system_error", retryable: true, status: "denied" } });
const ANY = { type: "object", properties: { at: { type: "string" } }, additionalProperties: true } as const;

/** A value with what JSON has no word for. */
class Point {
  readonly x = 1;
  toJSON(): unknown {
    return { point: this.x };
  }
}

interface Counter {
  count: number;
}

const counter = sessionKey<Counter>("@acme/behaving/counter", {
  create: ({ sessionId, options }) => ({ count: 0, sessionId, options }) as Counter,
  dispose: async ({ count }) => {
    if (disposalFile !== undefined) writeFileSync(disposalFile, String(count));
  },
});
let disposalFile: string | undefined;

type Behaviour = (context: ToolContext<never>, input: { readonly at?: string }) => unknown;

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  give_text: () => "text\n\u0000 ☃ 𝒳",
  give_nothing: () => undefined,
  give_null: () => null,
  give_object: () => ({ a: [1, { b: true }], success: false, ["__proto__x"]: 1, empty: {} }),
  give_odd: () => ({ nan: Number.NaN, zero: -0, when: new Date(5), none: undefined, list: [undefined, 1] }),
  give_prototype_name: () => JSON.parse('{"__proto__": {"polluted": true}, "$aiw": ["bytes", "x"]}') as unknown,
  give_bytes: () => ({ bytes: new Uint8Array([1, 2, 255]) }),
  give_buffer: () => Buffer.from("hello"),
  give_class: () => ({ point: new Point(), map: new Map([[1, 2]]), skip: () => 1 }),
  give_bigint: () => ({ big: 12345678901234567890n }),
  give_circle: () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    return circle;
  },
  give_attachment: () => ({ attachments: [{ type: "image", media_type: "image/png", data: "aGk=" }] }),
  give_much: ({ maxResultCharacters }) => ({ text: "x".repeat((maxResultCharacters ?? 10) + 1000) }),
  fail_own: () => {
    throw fail("fixture_busy", "The fixture is busy.", {
      suggestion: 'Call it again: fail_own(at="later")',
      details: { after_ms: 5, list: ["a"] },
      parameters: { at: "shown" },
    });
  },
  fail_core: () => {
    throw new ToolError("not_found", "No such thing.", { settled: false });
  },
  fail_plain: () => {
    throw new TypeError("reading /home/somebody/secret/file.txt");
  },
  fail_text: () => {
    throw "a text";
  },
  fail_null: () => Promise.reject(null),
  fail_hostile: () => {
    throw new Proxy({}, { get: () => { throw new RangeError("no"); }, getPrototypeOf: () => { throw new RangeError("no"); } });
  },
  stream: async (context) => {
    context.emitOutput("one");
    context.emitOutput("two", { channel: "stderr" });
    context.emitProgress({ progress: 1, total: 2, message: "half" });
    context.log.info("logged", { fact: 1 });
    return "streamed";
  },
  tell_facts: ({ sessionId, turn, workspace, options, principal, idempotencyKey, maxResultCharacters }) => ({
    hasSession: sessionId.length > 0,
    turn,
    workspace,
    options,
    principal,
    hasKey: idempotencyKey !== undefined,
    maxResultCharacters,
  }),
  count: async (context) => {
    const held = await context.session.get(counter);
    held.count += 1;
    return { ...held };
  },
  note_disposal: async (context, { at }) => {
    disposalFile = at;
    return (await context.session.get(counter)).count;
  },
  ask: (context) => context.requestInput("colour", { message: "Which?", schema: { type: "object", properties: {} } }),
  ask_and_recover: (context) => context.requestInput("colour", { message: "Which?" }).catch((error: ToolError) => error.code),
  call_other: async (context) => {
    const { call: _call, ...rest } = await context.callTool("give_object", {});
    return rest;
  },
  call_unknown: async (context) => {
    const { call: _call, ...rest } = await context.callTool("nobody", {});
    return rest;
  },
  wait: (context) =>
    new Promise((_resolve, reject) => {
      context.signal.addEventListener("abort", () => {
        const { reason } = context.signal as { reason: ToolError };
        reject(new ToolError("failed", "Stopped.", { details: { heard: reason.code }, suggestion: "Again." }));
      });
      context.emitOutput("waiting");
    }),
  wait_deaf: (context) => {
    context.emitOutput("waiting");
    return new Promise(() => undefined);
  },
  loop: (context) => {
    context.emitOutput("looping");
    return new Promise(() => setImmediate(() => { for (;;); }));
  },
  leave: () => process.exit(7),
  throw_later: () => new Promise(() => setImmediate(() => { throw new TypeError("nobody catches"); })),
  reject_later: () => {
    void Promise.reject(new TypeError("nobody hears"));
    return new Promise(() => undefined);
  },
  overflow: () => {
    const deeper = (): number => 1 + deeper();
    return deeper();
  },
  eat: () => {
    const eaten: unknown[] = [];
    for (;;) eaten.push(Array.from({ length: 100_000 }, () => ({})));
  },
  print: () => {
    for (let line = 0; line < 20_000; line += 1) process.stderr.write(`${"x".repeat(100)}\n`);
    console.log("printed");
    return "printed";
  },
  /** Looks around: what can be seen, written, reached and started. */
  look: async (_context, { at = "/" }) => ({
    folder: attempt(() => readdirSync(at)),
    file: attempt(() => readFileSync(at, "utf8")),
    written: attempt(() => writeFileSync(`${at}/written-by-isolated`, "x")),
    shadow: attempt(() => readFileSync("/etc/shadow", "utf8")),
    started: attempt(() => String(execFileSync("/bin/echo", ["hi"]))),
    processes: attempt(() => String(execFileSync("/bin/ls", ["/proc"])).match(/^\d+$/gmu)?.length),
    descriptors: attempt(() => String(execFileSync("/bin/ls", ["-l", `/proc/${process.pid}/fd`]))),
    environment: Object.keys(process.env).sort(),
    pid: process.pid,
    cwd: process.cwd(),
  }),
  reach: (_context, { at = "0" }) =>
    new Promise((resolve) => {
      try {
        const socket = connect(Number(at), "127.0.0.1");
        socket.once("connect", () => resolve("connected")).once("error", ({ name }) => resolve(name));
      } catch (error) {
        resolve((error as Error).name);
      }
    }),
};

function attempt(look: () => unknown): unknown {
  try {
    return look() ?? "done";
  } catch (error) {
    return `refused ${(error as NodeJS.ErrnoException).code ?? ""}`;
  }
}

const plain: Tool[] = Object.entries(BEHAVIOURS).map(
  ([name, execute]) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      input: ANY,
      effects: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
      execute: (input: unknown, context) => execute(context as never, input as { at?: string }),
    }) as Tool,
);

/** Streams by yielding. */
const yielding = defineTool({
  name: "yielding",
  description: "Yields.",
  input: ANY,
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  async *execute() {
    yield "a";
    yield "b";
    return "c";
  },
}) as Tool;

/** Has every part a tool can have. */
const whole = defineTool({
  name: "whole",
  description: "Has all parts.",
  input: ANY,
  effects: "read",
  assess: (input) =>
    (input as { at?: string }).at === "no"
      ? { decision: "deny", reason: "Not there.", rule: "fixture" }
      : {
          decision: (input as { at?: string }).at === "doomed" ? "ask" : "allow",
          reason: "Fine.",
          failure: new ToolError("not_found", "Gone.", { suggestion: "Look elsewhere." }),
          preview: ["+x"],
        },
  preview: (result) => [result.success ? "It worked." : `It failed: ${result.code}`],
  execute: (input) => {
    if ((input as { at?: string }).at === "fail") throw new ToolError("failed", "As asked.");
    return { at: (input as { at?: string }).at };
  },
}) as Tool;

/** Its schemas change what goes in and out, and refuse. */
const typed = defineTool({
  name: "typed",
  description: "Has schemas of its own.",
  input: z.object({ at: z.string().min(2).transform((text) => ({ text })), size: z.number().default(3) }),
  output: z.object({ text: z.string(), size: z.number().max(10) }),
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  execute: ({ at, size }) => ({ text: at.text, size }),
}) as Tool;

/** Its schema never answers. */
const stuck: Tool = {
  ...typed,
  spec: { ...typed.spec, name: "stuck" },
  parseInput: () => {
    for (;;);
  },
};

/** What a package would export as its default. */
export const behaving: ToolPackage = defineToolPackage({
  options: z.object({ level: z.number().default(1) }),
  tools: [...plain, yielding, whole, typed, stuck],
});
