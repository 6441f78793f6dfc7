import { testToolPackage } from "@aiw/testkit";
import { expect, it } from "vitest";
import { runTool, SessionStore } from "@aiw/core";
import firstTools, { add, countWords, recall, remember } from "./index.ts";

await testToolPackage({ title: "the contract of single tools", tools: [add, countWords] });
await testToolPackage({ title: "the contract of a package", tools: firstTools });

it("streams what it counts", async () => {
  const chunks: string[] = [];
  const result = await runTool(
    countWords,
    { texts: ["one", "two words"] },
    { onOutput: (chunk) => chunks.push(chunk) },
  );
  expect(result).toMatchObject({ success: true, value: { words: [1, 2], total: 3 } });
  expect(chunks).toEqual(["text 1: 1 words\n", "text 2: 2 words\n"]);
});

it("keeps notes for one conversation, as many as configured", async () => {
  await using session = new SessionStore();
  const options = { max_notes: 1 };
  await runTool(remember, { title: "a", text: "first" }, { session, options });
  expect(await runTool(recall, { title: "a" }, { session, options })).toMatchObject({ value: { text: "first" } });
  expect(await runTool(remember, { title: "b", text: "second" }, { session, options })).toMatchObject({
    code: "too_large",
  });
  expect(await runTool(recall, { title: "a" }, { options })).toMatchObject({ code: "not_found" });
  expect(await runTool(remember, { title: "b", text: "" }, { session, options: { max_notes: 0 } })).toMatchObject({
    code: "options_invalid",
  });
});
