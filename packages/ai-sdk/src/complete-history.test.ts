import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { completeHistory } from "./complete-history.ts";

const user: ModelMessage = { role: "user", content: "hello" };
const calls = (...ids: string[]): ModelMessage => ({
  role: "assistant",
  content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "t", input: {} })),
});
const results = (...ids: string[]): ModelMessage => ({
  role: "tool",
  content: ids.map((toolCallId) => ({
    type: "tool-result",
    toolCallId,
    toolName: "t",
    output: { type: "text", value: "x" },
  })),
});
const asked: ModelMessage = {
  role: "assistant",
  content: [
    { type: "tool-call", toolCallId: "a", toolName: "t", input: {} },
    { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
  ],
};
const answered = (approved: boolean): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-approval-response", approvalId: "p", approved, reason: "because" }],
});
const stopped = { type: "error-text", value: expect.stringContaining("stopped") };

describe("completeHistory", () => {
  it("leaves a complete history as it is", () => {
    const history = [user, calls("a", "b"), results("a", "b"), user];
    expect(completeHistory(history)).toEqual(history);
    expect(completeHistory([])).toEqual([]);
  });

  it("adds the results that are missing, right behind the call's own", () => {
    const history = [user, calls("a", "b"), results("b"), user];
    expect(completeHistory(history)).toEqual([
      user,
      calls("a", "b"),
      results("b"),
      { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "t", output: stopped }] },
      user,
    ]);
    expect(history).toHaveLength(4);
  });

  it("answers calls at the end, and those whose id is used again later", () => {
    const complete = completeHistory([calls("a"), user, calls("a"), results("a"), calls("z")]);
    expect(complete.map(({ role }) => role)).toEqual([
      "assistant",
      "tool",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
  });

  it("changes nothing the second time", () => {
    const once = completeHistory([user, calls("a"), user, asked, user]);
    expect(completeHistory(once)).toEqual(once);
  });

  it("leaves an approval that is still open at the end, and one that is about to run", () => {
    expect(completeHistory([user, asked])).toEqual([user, asked]);
    expect(completeHistory([user, asked, answered(true)])).toEqual([user, asked, answered(true)]);
  });

  it("closes an approval that the conversation has left behind", () => {
    expect(completeHistory([asked, user])[1]).toEqual({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", toolName: "t", output: stopped }],
    });
    expect(completeHistory([asked, answered(false), user])[2]).toMatchObject({
      content: [{ output: { type: "execution-denied", reason: "because" } }],
    });
  });

  it("leaves calls that the provider runs itself", () => {
    const own: ModelMessage = {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "a", toolName: "t", input: {}, providerExecuted: true }],
    };
    expect(completeHistory([own, user])).toEqual([own, user]);
  });
});
