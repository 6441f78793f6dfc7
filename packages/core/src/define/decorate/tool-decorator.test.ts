import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../contract/tool.ts";
import type { ToolContext } from "../../contract/tool-context.ts";
import { describeParameters } from "../../offer/describe-parameters.ts";
import { runTool } from "../../run/run-tool.ts";
import { tool } from "./tool-decorator.ts";
import { toolsOf } from "./tools-of.ts";

const CITY = z.strictObject({ city: z.string(), days: z.int().default(3) });

function toolNamed(tools: readonly Tool[], name: string): Tool {
  const found = tools.find(({ spec }) => spec.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

class Weather {
  readonly #station: string;
  calls = 0;

  constructor(station = "north") {
    this.#station = station;
  }

  @tool({ description: "Tells the weather.", input: CITY, effects: "read", category: "weather", tags: ["sky"] })
  async getWeather({ city, days }: { city: string; days: number }, { callId }: ToolContext): Promise<string> {
    this.calls += 1;
    return `${this.#station}: ${city} for ${days} days ${callId}`;
  }

  @tool({
    name: "compare",
    description: "Compares two cities.",
    input: z.strictObject({ first: z.string().describe("One."), second: z.string() }),
    parameters: ["second", "first"],
    parameterDescriptions: { second: "The other one.", first: "This one." },
  })
  async compareCities(second: string, first: string, context: ToolContext): Promise<string> {
    return `${first} and ${second} ${context.callId} ${this.#station}`;
  }

  @tool({ description: "Counts." })
  async *countCalls(): AsyncGenerator<string, number> {
    yield "counting";
    return this.calls;
  }

  @tool({ description: "Where the data is from." })
  static async sourceOfData(): Promise<string> {
    return `satellite of ${this.name}`;
  }
}

describe("tool", () => {
  it("makes tools of methods, called like them in snake_case unless named, and knows this and private members", async () => {
    const weather = new Weather("south");
    const tools = toolsOf(weather);
    expect(tools.map(({ spec }) => spec.name)).toEqual(["get_weather", "compare", "count_calls"]);
    const [getWeather] = tools;
    expect(getWeather?.spec).toMatchObject({
      type: "function",
      description: "Tells the weather.",
      inputSchema: { required: ["city"] },
      metadata: { category: "weather", tags: ["sky"], effects: { readOnly: true } },
    });
    const ran = await runTool(toolNamed(tools, "get_weather"), { city: "Bonn" }, { callId: "c1" });
    expect(ran).toMatchObject({ success: true, value: "south: Bonn for 3 days c1" });
    expect(weather.calls).toBe(1);
    expect(await runTool(toolNamed(tools, "get_weather"), { town: "Bonn" })).toMatchObject({ code: "invalid_input" });
  });

  it("gives arguments one by one in the order of the parameters, and lays descriptions over the schema", async () => {
    const compare = toolNamed(toolsOf(new Weather("west")), "compare");
    expect(await runTool(compare, { first: "Bonn", second: "Kiel" }, { callId: "c2" })).toMatchObject({
      value: "Bonn and Kiel c2 west",
    });
    expect(describeParameters(compare.spec)).toMatchObject([
      { name: "first", description: "This one.", required: true },
      { name: "second", description: "The other one.", required: true },
    ]);
  });

  it("streams what an async generator yields", async () => {
    const chunks: string[] = [];
    const count = toolNamed(toolsOf(new Weather()), "count_calls");
    const generator = count.execute({}, {} as never) as AsyncGenerator<string, number>;
    for (let step = await generator.next(); ; step = await generator.next()) {
      if (step.done === true) {
        expect(step.value).toBe(0);
        break;
      }
      chunks.push(step.value);
    }
    expect(chunks).toEqual(["counting"]);
  });

  it("works without facts and without a call; then a description is missing, which is said", () => {
    class Bare {
      @tool
      async one(): Promise<number> {
        return 1;
      }
    }
    class Called {
      @tool()
      async two(): Promise<number> {
        return 2;
      }
    }
    for (const target of [new Bare(), new Called()]) {
      expect(() => toolsOf(target)).toThrow(
        expect.objectContaining({
          code: "tool_definition_invalid",
          message: expect.stringContaining("has no description"),
          fix: expect.stringMatching(/@tool\(\{ description \}\).*aiw build/),
        }),
      );
    }
  });

  it("leaves the method itself as it is", async () => {
    expect(await new Weather().getWeather({ city: "Ulm", days: 1 }, { callId: "own" } as ToolContext)).toContain("Ulm");
    expect(Object.keys(new Weather())).toEqual(["calls"]);
  });

  it("knows its metadata wherever the platform keeps it", () => {
    expect(typeof Symbol.metadata).toBe("symbol");
    expect(Weather[Symbol.metadata]?.[Symbol.for("@aiw/core/tool-methods")]).toHaveLength(4);
  });

  it.each<[string, (decorate: Decorate) => unknown, RegExp]>([
    [
      "a method that is not async",
      (decorate) =>
        class {
          @decorate plain(): number {
            return 1;
          }
        },
      /plain must be async/,
    ],
    [
      "a plain generator",
      (decorate) =>
        class {
          @decorate *many(): Generator<number> {
            yield 1;
          }
        },
      /many must be async/,
    ],
    [
      "a method that only returns a promise",
      (decorate) =>
        class {
          @decorate later(): Promise<number> {
            return Promise.resolve(1);
          }
        },
      /async later\(…\)/,
    ],
    [
      "a getter",
      (decorate) =>
        class {
          @decorate get now(): number {
            return 1;
          }
        },
      /the getter now/,
    ],
    [
      "a setter",
      (decorate) =>
        class {
          @decorate set then(_value: number) {}
        },
      /the setter then/,
    ],
    [
      "a field",
      (decorate) =>
        class {
          @decorate run = async () => 1;
        },
      /the field run/,
    ],
    [
      "a class",
      (decorate) => decorate(class Whole {}, { kind: "class", name: "Whole", metadata: {} }),
      /the class Whole/,
    ],
    [
      "a private method",
      (decorate) =>
        class {
          @decorate async #hidden(): Promise<number> {
            return this.#hidden();
          }
        },
      /private method #hidden/,
    ],
    [
      "a symbol's method",
      (decorate) =>
        class {
          @decorate async [Symbol.for("x")](): Promise<number> {
            return 1;
          }
        },
      /Symbol\(x\)/,
    ],
    [
      "the older decorators of TypeScript",
      (decorate) => decorate(Weather.prototype, "getWeather", {}),
      /experimentalDecorators/,
    ],
    [
      "a compiler without metadata",
      (decorate) => decorate(async () => 1, { kind: "method", name: "a" }),
      /Symbol\.metadata/,
    ],
  ])("refuses %s with a clear TypeError", (_what, define, message) => {
    const both = [tool as unknown as Decorate, tool({ description: "D." }) as unknown as Decorate];
    for (const decorate of both) expect(() => define(decorate)).toThrow(TypeError);
    for (const decorate of both) expect(() => define(decorate)).toThrow(message);
  });

  it("keeps what was said, whatever becomes of the object that said it", () => {
    const facts = { description: "Before." };
    class Kept {
      @tool(facts)
      async go(): Promise<void> {}
    }
    facts.description = "After.";
    expect(toolsOf(new Kept())[0]?.spec.description).toBe("Before.");
  });

  it("refuses facts that are none", () => {
    expect(() => tool("get_weather" as never)).toThrow(TypeError);
    expect(() => tool(null as never)).toThrow(TypeError);
  });

  it("infers the method's arguments and output from the schemas", () => {
    class Typed {
      // @ts-expect-error -- the schema says that days is a number
      @tool({ description: "D.", input: CITY })
      async wrongInput(_input: { city: string; days: string }): Promise<void> {}

      // @ts-expect-error -- the output schema says number
      @tool({ description: "D.", output: z.number() })
      async wrongOutput(): Promise<string> {
        return "";
      }

      @tool({ description: "D.", output: z.number() })
      async rightOutput(): Promise<number> {
        return 1;
      }

      @tool({ description: "D.", output: z.string().transform(Number) })
      async transformedOutput(): Promise<string> {
        return "1";
      }

      @tool({ description: "D.", input: { type: "object", properties: { a: { type: "number" } }, required: ["a"] } })
      async rawSchema({ a }: { a: number }, _context: ToolContext<{ url: string }>): Promise<number> {
        return a;
      }

      @tool({ description: "D.", input: CITY })
      async partly({ city }: { city: string }): Promise<string> {
        return city;
      }

      @tool({ description: "D." })
      async compiledLater(_a: string, _b?: number): Promise<void> {}
    }
    expectTypeOf(toolsOf).returns.toEqualTypeOf<readonly Tool[]>();
    expect(Typed.name).toBe("Typed");
    const refuse = (): unknown => {
      class Plain {
        // @ts-expect-error -- the method is not async
        @tool({ description: "D." })
        plain(): number {
          return 1;
        }
      }
      return Plain;
    };
    expect(refuse).toThrow(TypeError);
  });
});

/** A decorator for anything, as JavaScript sees it. */
type Decorate = (...args: unknown[]) => void;
