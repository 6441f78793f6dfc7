import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompiledFunction } from "../../contract/compiled-function.ts";
import type { JsonSchema } from "../../contract/json.ts";
import type { Tool } from "../../contract/tool.ts";
import type { ToolContext } from "../../contract/tool-context.ts";
import type { ToolResult } from "../../contract/tool-result.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { runTool } from "../../run/run-tool.ts";
import { validateCall } from "../../run/validate-call.ts";
import { bindCompiled } from "./bind-compiled.ts";

const DATE_TIME = { type: "string", format: "date-time" } as const;

interface Shape {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly outputSchema?: JsonSchema;
}

function specOf(
  implementation: Partial<CompiledFunction>,
  { properties = {}, required = [], outputSchema }: Shape = {},
): ToolSpec {
  return {
    name: "work",
    description: "Works.",
    type: "function",
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    ...(outputSchema && { outputSchema }),
    metadata: {
      tags: [],
      permissions: [],
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    implementation: { compiled: true, ...implementation },
  };
}

async function call(tool: Tool, input: unknown): Promise<unknown> {
  const result: ToolResult = await runTool(tool, input, { callId: "c1" });
  return result.success ? result.value : result;
}

const AB = { properties: { a: { type: "number" }, b: { type: "number", default: 5 } } } as const;

describe("bindCompiled", () => {
  it("calls a function with one object and the context, defaults of the schema filled", async () => {
    const run = ({ a, b }: { a: number; b: number }, { callId }: ToolContext): string => `${a} ${b} ${callId}`;
    expect(await call(bindCompiled(run, specOf({}, AB)), { a: 1 })).toBe("1 5 c1");
  });

  it("calls it with arguments one by one, and the context behind them", async () => {
    const seen: unknown[][] = [];
    const run = (...args: unknown[]): number => seen.push(args);
    const shape = { properties: { a: {}, b: {}, c: {} } };
    await call(bindCompiled(run, specOf({ parameters: ["b", "a", "c"] }, shape)), { a: 1, b: 2 });
    expect(seen).toEqual([[2, 1, undefined, expect.objectContaining({ callId: "c1" })]]);
  });

  it("spreads a rest, and puts nothing behind it", async () => {
    const run = (first: string, ...others: string[]): string => [first, ...others].join("+");
    const shape = {
      properties: { first: { type: "string" }, others: { type: "array", items: { type: "string" } } },
    } as const;
    const tool = bindCompiled(run, specOf({ parameters: ["first", "others"], rest: true }, shape));
    expect(await call(tool, { first: "a", others: ["b", "c"] })).toBe("a+b+c");
    expect(await call(tool, { first: "a" })).toBe("a");
  });

  it("loses no argument whose schema admits more than a list", async () => {
    const run = (...all: unknown[]): unknown[] => all;
    const tool = bindCompiled(run, specOf({ parameters: ["all"], rest: true }, { properties: { all: {} } }));
    expect(await call(tool, { all: "one" })).toEqual(["one"]);
    expect(await call(tool, { all: null })).toEqual([null]);
    expect(await call(tool, { all: [1, 2] })).toEqual([1, 2]);
  });

  it("calls a method of an object that inherits nothing, such as a module", async () => {
    const module = Object.assign(Object.create(null) as object, { go: (): string => "went" });
    expect(await call(bindCompiled(module, specOf({ method: "go" })), {})).toBe("went");
  });

  it("takes a method called class for no class", async () => {
    const { class: run } = {
      class({ a }: { a: number }): number {
        return a;
      },
    };
    expect(await call(bindCompiled(run, specOf({}, AB)), { a: 3 })).toBe(3);
  });

  it("gives what an input inherits to no parameter", async () => {
    const run = (...args: unknown[]): unknown[] => args.slice(0, 2);
    const properties = JSON.parse('{"toString":{},"__proto__":{}}') as Record<string, JsonSchema>;
    const tool = bindCompiled(run, specOf({ parameters: ["toString", "__proto__"] }, { properties }));
    expect(await call(tool, {})).toEqual([undefined, undefined]);
  });

  describe("of a class", () => {
    it("makes one instance, which all its tools share, and binds this", async () => {
      let constructed = 0;
      class Parent {
        readonly #count = (constructed += 1);
        async inherited(): Promise<number> {
          return this.#count;
        }
      }
      class Tickets extends Parent {
        #opened = 0;
        async open(): Promise<number> {
          this.#opened += 1;
          return this.#opened;
        }
        field = async (): Promise<number> => this.#opened;
        static async name_of(): Promise<string> {
          return this.name;
        }
      }
      const [open, field, inherited] = ["open", "field", "inherited"].map((method) =>
        bindCompiled(Tickets, specOf({ method })),
      );
      if (!open || !field || !inherited) throw new Error("not bound");
      expect(await call(open, {})).toBe(1);
      expect(await call(open, {})).toBe(2);
      expect(await call(field, {})).toBe(2);
      expect(await call(inherited, {})).toBe(1);
      expect(constructed).toBe(1);
      expect(await call(bindCompiled(Tickets, specOf({ method: "name_of", static: true })), {})).toBe("Tickets");
      expect(await call(bindCompiled(new Tickets(), specOf({ method: "open" })), {})).toBe(1);
    });

    it("does not construct it for a static method", async () => {
      class Never {
        constructor() {
          throw new Error("constructed");
        }
        static async one(): Promise<number> {
          return 1;
        }
      }
      expect(await call(bindCompiled(Never, specOf({ method: "one", static: true })), {})).toBe(1);
      expect(() => bindCompiled(Never, specOf({ method: "two" }))).toThrow(
        expect.objectContaining({
          code: "tool_definition_invalid",
          message: expect.stringContaining("constructed"),
          fix: expect.any(String),
        }),
      );
    });
  });

  it.each<[string, unknown, Partial<CompiledFunction>, string]>([
    ["what is no function", { open: 1 }, {}, "it is no function"],
    ["nothing", undefined, {}, "it is no function"],
    ["a class without a method", class {}, {}, "it is a class"],
    ["nothing with a method", null, { method: "open" }, "no class and no object"],
    ["an object without the method", {}, { method: "open" }, 'no method "open"'],
    ["what every object has", {}, { method: "toString" }, 'no method "toString"'],
    ["what every function has", () => 1, { method: "call" }, 'no method "call"'],
    ["what every class has", class {}, { method: "bind", static: true }, 'no static method "bind"'],
    ["a constructor as a method", class {}, { method: "constructor" }, 'no method "constructor"'],
    ["the prototype as a method", {}, { method: "__proto__" }, 'no method "__proto__"'],
    ["an accessor", Object.defineProperty({}, "open", { get: () => () => 1 }), { method: "open" }, 'no method "open"'],
    ["a method only instances lack", class {}, { method: "open" }, 'no method "open"'],
  ])("refuses %s", (_what, value, implementation, message) => {
    expect(() => bindCompiled(value, specOf(implementation))).toThrow(
      expect.objectContaining({
        code: "tool_definition_invalid",
        message: expect.stringContaining(message),
        fix: expect.stringContaining("aiw build"),
      }),
    );
  });

  it("streams what a generator yields", async () => {
    async function* many(): AsyncGenerator<string, Date> {
      yield "a";
      yield "b";
      return new Date(0);
    }
    function* plain(): Generator<string, Date> {
      yield "c";
      return new Date(1);
    }
    const outputSchema = DATE_TIME;
    const chunks: string[] = [];
    const emitOutput = (chunk: string): void => void chunks.push(chunk);
    for (const [run, value] of [
      [many, "1970-01-01T00:00:00.000Z"],
      [plain, "1970-01-01T00:00:00.001Z"],
      [async () => Promise.resolve(many()), "1970-01-01T00:00:00.000Z"],
    ] as const) {
      const tool = bindCompiled(run, specOf({ outputDates: [""] }, { outputSchema }));
      expect(await runTool(tool, {}, { emitOutput } as never)).toMatchObject({ success: true, value });
    }
    const direct = bindCompiled(many, specOf({ outputDates: [""] })).execute({}, {} as never) as AsyncGenerator<string>;
    expect(await direct.next()).toEqual({ done: false, value: "a" });
    expect(await direct.return(undefined)).toMatchObject({ done: true });
  });

  describe("with dates", () => {
    const meetings = {
      properties: {
        at: DATE_TIME,
        meetings: {
          type: "array",
          items: { type: "object", properties: { start: DATE_TIME, title: { type: "string" } } },
        },
        either: { anyOf: [DATE_TIME, { type: "null" }] },
        loose: { type: "string", default: "2030-01-01" },
      },
    } as const;
    const dates = ["/at", "/meetings/*/start", "/either", "/loose"];

    it("gives dates in their places, defaults included, and keeps the arguments as they were asked", async () => {
      const seen: unknown[] = [];
      const tool = bindCompiled((input: unknown) => void seen.push(input), specOf({ dates }, meetings));
      const input = {
        at: "2030-01-31T09:30:00+02:00",
        meetings: [{ start: "2030-02-01T00:00:00Z", title: "2030-02-01" }, {}],
        either: null,
      };
      const validated = await validateCall(tool, input);
      expect(validated.input).toEqual({ ...input, loose: "2030-01-01" });
      expect(validated.arguments).toEqual({
        at: new Date("2030-01-31T07:30:00Z"),
        meetings: [{ start: new Date("2030-02-01T00:00:00Z"), title: "2030-02-01" }, {}],
        either: null,
        loose: new Date("2030-01-01T00:00:00Z"),
      });
      await call(tool, input);
      expect(seen).toEqual([validated.arguments]);
    });

    it("keeps what was asked also where it has no dates, whatever the tool does to its arguments", async () => {
      const tool = bindCompiled(() => 1, specOf({ dates }, meetings));
      const validated = await validateCall(tool, { meetings: [{ title: "Rain" }] });
      (validated.arguments as { meetings: unknown[] }).meetings.length = 0;
      expect(validated.input["meetings"]).toEqual([{ title: "Rain" }]);
    });

    it("gives them to parameters one by one", async () => {
      const run = (at: Date, loose: Date): number => at.getTime() - loose.getTime();
      const shape = { properties: { at: DATE_TIME, loose: DATE_TIME } };
      const tool = bindCompiled(run, specOf({ parameters: ["at", "loose"], dates: ["/at", "/loose"] }, shape));
      expect(await call(tool, { at: "2030-01-01T00:00:01Z", loose: "2030-01-01T00:00:00Z" })).toBe(1000);
    });

    it.each([
      "yesterday",
      "",
      "March 7, 2030",
      "2030",
      "2030-02-30",
      "2030-02-30T00:00:00Z",
      "2030-13-01",
      "2030-01-01T25:00:00Z",
      "2030-12-31T23:59:60Z",
      "2030-01-01T24:00:00Z",
      "2030-01-01T09:30:00",
      "2030-01-01 09:30",
      "2030-01-01T09:30:00+0200",
      "2030-01-01Z",
      "12030-01-01",
      "2030-01-01 and more",
    ])("refuses %j as invalid input, not by throwing", async (loose) => {
      const tool = bindCompiled(() => "ran", specOf({ dates }, meetings));
      const result = await runTool(tool, { loose });
      expect(result).toMatchObject({
        success: false,
        code: "invalid_input",
        error: expect.stringContaining("date and time such as"),
      });
      expect(result.success || result.error).toContain("loose");
    });

    it("gives every time that a date can be written as, and refuses every other text", async () => {
      const tool = bindCompiled(
        ({ loose }: { loose: Date }) => loose.getTime(),
        specOf({ dates: ["/loose"] }, meetings),
      );
      const ordinary = {
        min: new Date("0000-01-01T00:00:00Z"),
        max: new Date("9999-12-31T23:59:59.999Z"),
        noInvalidDate: true,
      };
      await fc.assert(
        fc.asyncProperty(fc.date(ordinary), async (date) => {
          expect(await call(tool, { loose: date.toISOString() })).toBe(date.getTime());
        }),
      );
      await fc.assert(
        fc.asyncProperty(fc.string(), async (loose) => {
          fc.pre(!/^\d{4}-\d\d-\d\d/.test(loose));
          expect(await call(tool, { loose })).toMatchObject({ code: "invalid_input" });
        }),
      );
    });

    it("writes dates of the output as texts before the output is checked, and leaves the function's own value", async () => {
      const at = new Date(0);
      const own = { at, list: [{ at }, { at: null }], note: "n" };
      const outputSchema = {
        type: "object",
        properties: {
          at: DATE_TIME,
          list: { type: "array", items: { properties: { at: { type: ["string", "null"] } } } },
        },
      } as const;
      const tool = bindCompiled(() => own, specOf({ outputDates: ["/at", "/list/*/at"] }, { outputSchema }));
      const text = "1970-01-01T00:00:00.000Z";
      expect(await call(tool, {})).toEqual({ at: text, list: [{ at: text }, { at: null }], note: "n" });
      expect(own.at).toBe(at);
    });

    it("leaves a date that is no point in time to the output schema", async () => {
      const tool = bindCompiled(
        async () => new Date(Number.NaN),
        specOf({ outputDates: [""] }, { outputSchema: DATE_TIME }),
      );
      expect(await call(tool, {})).toMatchObject({ code: "invalid_output" });
    });

    it("writes dates of another realm, and takes nothing else for a date", async () => {
      const foreign: unknown = runInNewContext("new Date(0)");
      const pretended = { [Symbol.toStringTag]: "Date", toISOString: () => "never" };
      const tool = bindCompiled(() => [foreign, pretended], specOf({ outputDates: ["/*"] }));
      expect(await call(tool, {})).toEqual(["1970-01-01T00:00:00.000Z", pretended]);
    });

    it("brings every date there and back", async () => {
      const shape = {
        properties: { days: { type: "array", items: DATE_TIME } },
        outputSchema: { type: "array", items: DATE_TIME },
      } as const;
      const run = ({ days }: { days: Date[] }): Date[] => days.map((day) => new Date(day));
      const tool = bindCompiled(run, specOf({ dates: ["/days/*"], outputDates: ["/*"] }, shape));
      const year = {
        min: new Date("1000-01-01T00:00:00Z"),
        max: new Date("9999-12-31T00:00:00Z"),
        noInvalidDate: true,
      };
      await fc.assert(
        fc.asyncProperty(fc.array(fc.date(year)), async (days) => {
          const texts = days.map((day) => day.toISOString());
          expect(await call(tool, { days: texts })).toEqual(texts);
        }),
      );
    });
  });
});
