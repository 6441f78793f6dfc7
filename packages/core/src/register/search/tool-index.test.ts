import { describe, expect, it, vi } from "vitest";
import { defineTool } from "../../define/define-tool.ts";
import { ToolRegistry } from "../tool-registry.ts";
import type * as Module from "./tool-index.ts";

const engine = vi.hoisted(() => ({ loads: 0, made: 0 }));
vi.mock("./tool-index.ts", async (original) => {
  engine.loads += 1;
  const { ToolIndex } = await original<typeof Module>();
  return {
    ToolIndex: class extends ToolIndex {
      constructor(...given: ConstructorParameters<typeof ToolIndex>) {
        super(...given);
        engine.made += 1;
      }
    },
  };
});

function tool(name: string) {
  return defineTool({ name, description: `Knows the ${name}.`, execute: () => "" });
}

describe("ToolIndex", () => {
  it("is loaded by the first search, and made once for each snapshot", async () => {
    const registry = new ToolRegistry();
    registry.register(tool("weather"));
    expect(registry.compileDefinitions().definitions).toHaveLength(1);
    expect(registry.getTool("weather").spec).toBe(registry.specs()[0]);
    expect(engine).toEqual({ loads: 0, made: 0 });

    const [first, second] = await Promise.all([registry.search("weather"), registry.search("weather")]);
    expect(first).toMatchObject([{ name: "weather" }]);
    expect(second).toEqual(first);
    expect(engine).toEqual({ loads: 1, made: 1 });

    registry.register(tool("tide"));
    expect(await registry.search("tide")).toMatchObject([{ name: "tide" }]);
    expect(engine).toEqual({ loads: 1, made: 2 });
  });
});
