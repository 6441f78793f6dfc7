import type { ActivityEvent } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { fakeIo } from "../../__fixtures__/fake-io.ts";
import { createRenderer } from "./create-renderer.ts";

const DATA = { toolName: "echo", toolId: "acme-tools/echo" };

const CHUNK = { type: "tool_output_chunk", data: { ...DATA, chunk: "no end", channel: "stdout" } };
const RETRY = { type: "tool_retry", data: { ...DATA, attempt: 1, delayMs: 1500, code: "too_busy" } };
const REPAIR = {
  type: "tool_arguments_repaired",
  data: { ...DATA, repairs: [], arguments: { text: "one two three four five six seven" } },
};

interface Look {
  readonly columns?: number;
  readonly terminal?: boolean;
  readonly environment?: Record<string, string>;
}

async function show(
  events: readonly object[],
  { columns, terminal = false, environment = {} }: Look = {},
): Promise<string> {
  const fake = fakeIo("/", { environment, ...(columns !== undefined && { columns }) });
  const renderer = createRenderer({ ...fake.io, stderr: Object.assign(fake.io.stderr, { isTTY: terminal }) });
  for (const event of events) renderer.show({ callId: "1", timestamp: 0, ...event } as ActivityEvent);
  renderer.endLine();
  await new Promise((resolve) => setImmediate(resolve));
  return fake.stderr();
}

describe("createRenderer", () => {
  it("begins lines of its own after output that did not end its line", async () => {
    expect(await show([CHUNK, RETRY, CHUNK])).toBe("no end\nagain in 1.5 s after too_busy\nno end\n");
  });

  it("breaks lines between words where people look, and nowhere else", async () => {
    const narrow = await show([REPAIR], { columns: 30 });
    expect(narrow).toBe('repaired the arguments of\necho: (text="one two three\nfour five six seven")\n');
    expect((await show([REPAIR])).trimEnd()).not.toContain("\n");
  });

  it("paints at a terminal that takes colours alone", async () => {
    expect(await show([RETRY], { terminal: true })).toBe("\u001b[33magain in 1.5 s after too_busy\u001b[39m\n");
    expect(await show([RETRY], { terminal: true, environment: { NO_COLOR: "1" } })).toBe(
      "again in 1.5 s after too_busy\n",
    );
  });
});
