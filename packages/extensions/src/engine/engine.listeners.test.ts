import { defineTool, type ActivityEvent, type Tool, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { audit, memorySink } from "../audit.ts";
import { makeEngine, type MadeEngine } from "./__fixtures__/make-engine.ts";

const TOOLS: readonly Tool[] = [
  defineTool({
    name: "stream",
    description: "Streams.",
    effects: "pure",
    async *execute() {
      yield "a";
      await Promise.resolve();
      yield "b";
      return "c";
    },
  }) as Tool,
  defineTool({
    name: "fail",
    description: "Fails.",
    effects: "pure",
    execute: () => {
      throw new Error("bang");
    },
  }) as Tool,
  defineTool({ name: "look", description: "Looks.", effects: "pure", execute: () => 1 }) as Tool,
];

/** What a listener may do to the engine that tells it; all of it at once, on every event. */
const LISTENERS: Readonly<
  Record<string, (engine: MadeEngine, event: ActivityEvent, seen: Promise<ToolResult>[]) => unknown>
> = {
  "throws what nobody can read": () => {
    throw new Proxy(
      {},
      {
        get() {
          throw new Error("do not look");
        },
      },
    );
  },
  "rejects later": async () => {
    await Promise.resolve();
    throw new Error("too late");
  },
  "never settles": () => new Promise(() => undefined),
  "makes calls of its own": ({ executor }, _event, made) => {
    if (made.length < 5) made.push(executor.execute("look", {}));
  },
  "makes a call under the id that has just ended": ({ executor }, { type, callId }, made) => {
    if (made.length < 5 && (type === "tool_call_end" || type === "error"))
      made.push(executor.execute("look", {}, { callId }));
  },
  "closes the executor": ({ executor }) => executor.close(),
  "closes the stream at the end of a call": ({ activity }, { type }) => {
    if (type === "tool_call_end" || type === "error") queueMicrotask(() => activity.close());
  },
  "changes the event": (_engine, event) => {
    Reflect.set(event, "callId", "another");
    Reflect.set(event.data, "result", undefined);
  },
  "leaves, and lets others come": ({ activity }) => {
    for (let time = 0; time < 3; time += 1) activity.subscribe("*", () => undefined)();
  },
};

/** The ends that were told, recorded and given, by call. */
function toEnds(results: readonly ToolResult[]): string[] {
  return results.map(({ call, status }) => `${call.callId} ${status}`).toSorted();
}

describe.each(Object.keys(LISTENERS))("UnifiedToolExecutor with a listener that %s", (name) => {
  it.each(["stream", "fail", "look"])("gives each call of %s one result, one event and one record", async (tool) => {
    const sink = memorySink();
    const engine = makeEngine(TOOLS, { extensions: [audit({ sink })] });
    const told: ToolResult[] = [];
    for (const type of ["tool_call_end", "error"] as const)
      engine.activity.subscribe(type, ({ data }) => {
        told.push(data.result);
      });
    const made: Promise<ToolResult>[] = [];
    engine.activity.subscribe("*", (event) => LISTENERS[name]?.(engine, event, made) as never);
    const results = [await engine.executor.execute(tool, {}, { callId: "c" })];
    for (const result of made) results.push(await result);
    expect(results[0]?.call.callId).toBe("c");
    expect(toEnds(told)).toEqual(toEnds(results));
    const recorded = sink.records.map((record) =>
      record.kind === "call" ? `${record.callId} ${record.outcome.status}` : record.kind,
    );
    expect(recorded.toSorted()).toEqual(toEnds(results));
    await engine.executor.close();
    expect(engine.executor.running).toBe(0);
  });
});
