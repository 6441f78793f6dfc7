import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { findApproval } from "./find-approval.ts";

const user: ModelMessage = { role: "user", content: "go" };

function asked(approvalId: string, isAutomatic?: boolean): ModelMessage {
  return {
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "a", toolName: "t", input: {} },
      { type: "tool-approval-request", approvalId, toolCallId: "a", ...(isAutomatic !== undefined && { isAutomatic }) },
    ],
  };
}

function answered(approvalId: string, approved = true): ModelMessage {
  return { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved, reason: "fine" }] };
}

describe("findApproval", () => {
  it("finds the yes that the last message gives to the call's request", () => {
    expect(findApproval([user, asked("p"), answered("p")], "a")).toEqual({ approvalId: "p", reason: "fine" });
  });

  it.each<[string, ModelMessage[]]>([
    ["nobody was asked", [user]],
    ["nobody answered", [user, asked("p")]],
    ["the answer was no", [user, asked("p"), answered("p", false)]],
    ["the answer is to another request", [user, asked("p"), answered("q")]],
    ["the yes is of an earlier use of the call id", [asked("p"), answered("p"), user, asked("q"), answered("p")]],
    ["the conversation has gone on since", [asked("p"), answered("p"), user]],
    ["the answer was automatic", [user, asked("p", true), answered("p")]],
    ["there is an answer and no request", [user, answered("p")]],
    ["there is nothing", []],
  ])("finds nothing when %s", (_why, messages) => {
    expect(findApproval(messages, "a")).toBeUndefined();
  });

  it("does not take one call's yes for another's", () => {
    expect(findApproval([asked("p"), answered("p")], "b")).toBeUndefined();
  });

  it("takes the last word of several", () => {
    const both: ModelMessage = {
      role: "tool",
      content: [...(answered("p").content as []), ...(answered("p", false).content as [])],
    };
    expect(findApproval([asked("p"), both], "a")).toBeUndefined();
  });
});
