import type { ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openInProcess, openIsolated, type Behaving, type OpenBehavingOptions } from "./__fixtures__/open-behaving.ts";

/** What two runs of one call may differ in. */
function comparable(result: ToolResult): unknown {
  const { call, ...rest } = result;
  const { callId: _id, startedAt: _at, durationMs: _ms, sessionId: _session, ...record } = call;
  return { ...rest, record };
}

/** Events without what is another for each call. */
function told({ events }: Behaving): unknown {
  return events.map(({ type, data }) => {
    const { durationMs: _ms, result: _result, ...rest } = { ...(data as Record<string, unknown>) };
    return { type, ...rest };
  });
}

const OPTIONS: OpenBehavingOptions = {
  options: { level: 7 },
  executor: {
    workspace: { cwd: "/tmp", roots: ["/tmp"], history: "memory" },
    answerer: async ({ key }) => ({ action: "accept", content: { key } }),
  },
};

const CALLS: readonly (readonly [name: string, input?: object])[] = [
  ["give_text"],
  ["give_nothing"],
  ["give_null"],
  ["give_object"],
  ["give_odd"],
  ["give_prototype_name"],
  ["give_bytes"],
  ["give_buffer"],
  ["give_bigint"],
  ["give_attachment"],
  ["fail_own"],
  ["fail_core"],
  ["fail_plain"],
  ["fail_text"],
  ["fail_null"],
  ["fail_hostile"],
  ["overflow"],
  ["stream"],
  ["yielding"],
  ["tell_facts"],
  ["count"],
  ["ask"],
  ["ask_and_recover"],
  ["call_other"],
  ["call_unknown"],
  ["whole", { at: "yes" }],
  ["whole", { at: "fail" }],
  ["typed", { at: "ab" }],
  ["typed", { at: "a" }],
  ["typed", { at: "ab", size: 11 }],
  ["typed", { at: 1 }],
  ["typed", {}],
];

describe("isolatePackages", () => {
  it("gives the results and events of the same calls in process, field by field", async () => {
    const here = await openInProcess(OPTIONS);
    const elsewhere = await openIsolated(OPTIONS);
    for (const [name, input = {}] of CALLS) {
      const expected = await here.tools.executeTool(name, input);
      const actual = await elsewhere.tools.executeTool(name, input);
      expect(expected).not.toMatchObject({ code: "tool_not_found" });
      expect(comparable(actual), `${name} ${JSON.stringify(input)}`).toEqual(comparable(expected));
    }
    expect(told(elsewhere)).toEqual(told(here));
  });

  it("refuses what the tool's own verdict refuses; the preview of a failure that the host decided on is the host's", async () => {
    const [here, elsewhere] = await Promise.all([openInProcess(), openIsolated()]);
    const { preview: own, ...expected } = await here.tools.executeTool("whole", { at: "no" });
    const { preview, ...actual } = await elsewhere.tools.executeTool("whole", { at: "no" });
    expect({ ...actual, call: {} }).toEqual({ ...expected, call: {} });
    const doomed = { code: "not_found", error: expect.stringContaining("Gone."), suggestion: "Look elsewhere." };
    expect(await here.tools.executeTool("whole", { at: "doomed" })).toMatchObject(doomed);
    expect(await elsewhere.tools.executeTool("whole", { at: "doomed" })).toMatchObject(doomed);
    expect({ own, preview }).toEqual({
      own: ["It failed: denied_by_tool"],
      preview: [expect.stringContaining("Denied by")],
    });
  });

  it("gives what JSON makes of instances of classes", async () => {
    const { tools } = await openIsolated();
    const result = await tools.executeTool("give_class", {});
    expect(result).toMatchObject({ success: true, value: { point: { point: 1 }, map: {} } });
  });

  it("refuses a value that contains itself: it cannot be told to another process", async () => {
    const { tools } = await openIsolated();
    expect(await tools.executeTool("give_circle", {})).toMatchObject({ success: false, code: "invalid_output" });
  });

  it("shortens and keeps what is too long, as in process", async () => {
    const [here, elsewhere] = await Promise.all([openInProcess(), openIsolated()]);
    const expected = await here.tools.executeTool("give_much", {});
    const actual = await elsewhere.tools.executeTool("give_much", {});
    expect(actual).toMatchObject({ success: true, truncated: { omittedCharacters: expect.any(Number) } });
    expect(actual.success && expected.success && actual.truncated?.omittedCharacters).toBe(
      expected.success && expected.truncated?.omittedCharacters,
    );
  });

  it("refuses wrong options in the words of in-process calls", async () => {
    const wrong = { options: { level: "high" } };
    const expected = await (await openInProcess(wrong)).tools.executeTool("give_null", {});
    const actual = await (await openIsolated(wrong)).tools.executeTool("give_null", {});
    expect(comparable(actual)).toEqual(comparable(expected));
    expect(actual).toMatchObject({ success: false, code: "options_invalid" });
  });

  it.each(["wait", "wait_deaf"])(
    "ends %s when its signal aborts; what it says then is kept as in process",
    async (name) => {
      const run = async (behaving: Behaving): Promise<ToolResult> => {
        const controller = new AbortController();
        behaving.tools.activity.subscribe("tool_output_chunk", () => controller.abort());
        return behaving.tools.executeTool(name, {}, { signal: controller.signal });
      };
      const limits = { executor: { limits: { graceMs: 1500 } } };
      const expected = await run(await openInProcess(limits));
      const actual = await run(await openIsolated(limits));
      expect(actual).toMatchObject({ success: false, status: "cancelled", settled: true });
      if (name === "wait") expect(comparable(actual)).toEqual(comparable(expected));
      else expect(expected).toMatchObject({ settled: false });
    },
  );
});
