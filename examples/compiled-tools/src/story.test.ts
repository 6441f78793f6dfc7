import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCompiled, type OpenedTools } from "./open-compiled.ts";

describe("documented functions as tools", () => {
  let opened: OpenedTools;

  beforeAll(async () => {
    opened = await openCompiled();
  });

  afterAll(async () => {
    await opened.tools.close();
  });

  it("are compiled without a remark", () => {
    expect(opened.diagnostics).toEqual([]);
    expect(opened.tools.registry.getAllTools().map(({ spec }) => spec.name)).toEqual([
      "add_amount",
      "add_days",
      "list_totals",
      "split_bill",
      "split_words",
    ]);
  });

  it("are called with checked arguments and their defaults", async () => {
    const { tools } = opened;
    const people = ["Ada", "Alan"];
    expect(await tools.executeTool("split_bill", { amount: 90, people })).toMatchObject({
      success: true,
      value: [
        { person: "Ada", pays: 49.5 },
        { person: "Alan", pays: 49.5 },
      ],
    });
    expect(await tools.executeTool("split_bill", { amount: 90, people: [] })).toMatchObject({ code: "invalid_input" });
    expect(await tools.executeTool("split_bill", { amount: 90, people, tip: 101 })).toMatchObject({
      code: "invalid_input",
    });
  });

  it("are given dates, and give them as text", async () => {
    const result = await opened.tools.executeTool("add_days", { date: "2026-01-01T00:00:00.000Z", days: 7 });
    expect(result).toMatchObject({ success: true, value: { date: "2026-01-08T00:00:00.000Z" } });
  });

  it("stream what they yield", async () => {
    expect(await opened.tools.executeTool("split_words", { text: "one two three", limit: 2 })).toMatchObject({
      success: true,
      value: { words: 2 },
    });
  });

  it("share one instance of their class", async () => {
    const { tools } = opened;
    await tools.executeTool("add_amount", { account: "rent", amount: 5 });
    await tools.executeTool("add_amount", { account: "rent", amount: 2 });
    expect(await tools.executeTool("list_totals", {})).toMatchObject({ success: true, value: { rent: 7 } });
  });
});
