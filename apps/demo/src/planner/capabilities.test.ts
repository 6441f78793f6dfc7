import { describe, expect, it } from "vitest";

import { capabilityOf, planCall } from "./capabilities.ts";
import { toOfferedTools } from "./offered-tool.ts";

const text = { type: "string" };

function offer(name: string, description: string, [properties, required]: [Record<string, unknown>, string[]]) {
  const inputSchema = { type: "object" as const, properties: properties as never, required };
  return toOfferedTools({ tools: [{ type: "function", name, description, inputSchema }] });
}

describe("planCall", () => {
  it("fits arguments to whatever the schema calls and types them", () => {
    const many = offer("read", "Reads files.", [{ file_paths: { type: "array", items: text } }, ["file_paths"]]);
    const one = offer("openFile", "Opens.", [{ filename: text }, ["filename"]]);
    expect(planCall("read_file", { path: "a.ts" }, { tools: many, why: "" })?.input).toEqual({ file_paths: ["a.ts"] });
    expect(planCall("read_file", { path: "a.ts" }, { tools: one, why: "" })?.input).toEqual({ filename: "a.ts" });
  });

  it("knows a tool by its description when its name says nothing", () => {
    const tools = offer("peek", "Reads the text of one file.", [{ path: text }, ["path"]]);
    expect(planCall("read_file", { path: "a.ts" }, { tools, why: "" })?.toolName).toBe("peek");
  });

  it("leaves optional arguments out that the schema does not declare or allow", () => {
    const tools = offer("bash", "Runs.", [{ command: text, timeout: { type: "number", maximum: 10 } }, ["command"]]);
    expect(planCall("run_command", { command: "ls", timeout: 60, limit: 3 }, { tools, why: "" })?.input).toEqual({
      command: "ls",
    });
  });

  it("passes over a tool that requires what the planner cannot give", () => {
    const tools = [
      ...offer("read", "Reads a file.", [{ path: text, ticket: text }, ["path", "ticket"]]),
      ...offer("read_file", "Reads a file.", [{ path: text }, ["path"]]),
    ];
    expect(planCall("read_file", { path: "a" }, { tools, why: "" })?.toolName).toBe("read_file");
  });

  it("does not take a deleting or sending tool for a reading one", () => {
    const tools = offer("delete_file", "Deletes a file after it reads the file once.", [{ path: text }, ["path"]]);
    expect(capabilityOf("delete_file", tools)).toBeUndefined();
    expect(planCall("read_file", { path: "a" }, { tools, why: "" })).toBeUndefined();
  });
});
