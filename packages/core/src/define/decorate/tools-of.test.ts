import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CompiledFunction } from "../../contract/compiled-function.ts";
import type { Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { runTool } from "../../run/run-tool.ts";
import { validateSpec } from "../../schema/validate-spec.ts";
import { tool } from "./tool-decorator.ts";
import { toolsOf } from "./tools-of.ts";

/** As the compiler writes it. */
function compiledSpec(
  name: string,
  implementation: Partial<CompiledFunction>,
  changes: Partial<ToolSpec> = {},
): ToolSpec {
  return {
    name,
    description: `From the comment of ${name}.`,
    type: "function",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string", description: "From @param." }, count: { type: "integer" } },
      required: ["title"],
      additionalProperties: false,
    },
    metadata: {
      tags: ["inferred"],
      permissions: [],
      effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    },
    implementation: { compiled: true, ...implementation },
    ...changes,
  };
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map(({ spec }) => spec.name);
}

async function valueOf(tools: readonly Tool[], name: string, input: unknown = {}): Promise<unknown> {
  const found = tools.find(({ spec }) => spec.name === name);
  const result = found === undefined ? undefined : await runTool(found, input);
  return result?.success === true ? result.value : result;
}

class Base {
  readonly place = "base";

  @tool({ description: "Who." })
  async who(): Promise<string> {
    return `${this.place} ${this.constructor.name}`;
  }

  @tool({ description: "Twice." })
  async twice(): Promise<string> {
    return "base";
  }

  @tool({ description: "Shared." })
  static async shared(): Promise<string> {
    return this.name;
  }
}

class Undecorated extends Base {
  override async twice(): Promise<string> {
    return `${await super.twice()} and undecorated`;
  }
}

class Redecorated extends Base {
  @tool({ name: "again", description: "Twice, otherwise." })
  override async twice(): Promise<string> {
    return "redecorated";
  }

  @tool({ description: "More." })
  async more(): Promise<string> {
    return "more";
  }
}

describe("toolsOf", () => {
  it("keeps the tools of a parent, calls what overrides them, and takes what is declared again", async () => {
    const plain = toolsOf(new Undecorated());
    expect(namesOf(plain)).toEqual(["who", "twice"]);
    expect(await valueOf(plain, "twice")).toBe("base and undecorated");
    expect(await valueOf(plain, "who")).toBe("base Undecorated");
    const again = toolsOf(new Redecorated());
    expect(namesOf(again)).toEqual(["who", "again", "more"]);
    expect(await valueOf(again, "again")).toBe("redecorated");
    expect(namesOf(toolsOf(new Base()))).toEqual(["who", "twice"]);
  });

  it("takes a class: its static methods, and those of one instance made without arguments", async () => {
    let constructed = 0;
    class Counted extends Base {
      constructor() {
        super();
        constructed += 1;
      }
    }
    const tools = toolsOf(Counted);
    expect(namesOf(tools)).toEqual(["shared", "who", "twice"]);
    expect(await valueOf(tools, "shared")).toBe("Counted");
    expect(await valueOf(tools, "who")).toBe("base Counted");
    expect(toolsOf(Counted)).toBe(tools);
    expect(constructed).toBe(1);
  });

  it("does not construct a class whose tools are all static", () => {
    class OnlyStatic {
      constructor() {
        throw new Error("never");
      }
      @tool({ description: "S." })
      static async only(): Promise<void> {}
    }
    expect(namesOf(toolsOf(OnlyStatic))).toEqual(["only"]);
  });

  it("takes the compiled definition of a method without a schema, and what the decorator says over it", async () => {
    class Tickets {
      @tool({ description: "From the decorator.", effects: "write", parameterDescriptions: { count: "How many." } })
      async open(title: string, count: number | undefined, context: { callId: string }): Promise<string> {
        return `${title} ${String(count)} ${typeof context.callId}`;
      }

      @tool()
      async close(input: { title: string }): Promise<string> {
        return `closed ${input.title}`;
      }
    }
    const specs = [
      {
        module: "./dist/index.js",
        export: "Tickets",
        spec: compiledSpec("open", { method: "open", parameters: ["title", "count"] }),
      },
      compiledSpec("close_ticket", { method: "close" }),
    ];
    const tools = toolsOf(new Tickets(), { specs });
    expect(namesOf(tools)).toEqual(["open", "close_ticket"]);
    expect(tools[0]?.spec).toMatchObject({
      description: "From the decorator.",
      inputSchema: {
        properties: { title: { description: "From @param." }, count: { type: "integer", description: "How many." } },
      },
      metadata: { tags: ["inferred"], effects: { readOnly: false, idempotent: false, openWorld: false } },
      implementation: { compiled: true, method: "open" },
    });
    expect(tools.every(({ spec }) => validateSpec(spec).length === 0 && Object.isFrozen(spec))).toBe(true);
    expect(await valueOf(tools, "open", { title: "Rain" })).toBe("Rain undefined string");
    expect(await valueOf(tools, "open", { title: 1 })).toMatchObject({ code: "invalid_input" });
    expect(await valueOf(tools, "close_ticket", { title: "Rain" })).toBe("closed Rain");
    // Said again over what it became, nothing changes: a manifest of it stays true.
    expect(toolsOf(new Tickets(), { specs: tools }).map(({ spec }) => spec)).toEqual(tools.map(({ spec }) => spec));
  });

  it("tells methods of one name in two classes apart by the tool's name, and never takes another's definition", () => {
    class One {
      @tool({ name: "one_run", description: "One." })
      async run(_input: { title: string }): Promise<void> {}
    }
    const specs = [compiledSpec("two_run", { method: "run" }), compiledSpec("one_run", { method: "run" })];
    expect(namesOf(toolsOf(new One(), { specs }))).toEqual(["one_run"]);
    expect(() => toolsOf(new One(), { specs: specs.slice(0, 1) })).toThrow(
      "neither a schema nor a compiled definition",
    );
    expect(() => toolsOf(new One(), { specs: [compiledSpec("one_run", { method: "run", static: true })] })).toThrow(
      "neither",
    );
  });

  it("takes other definitions for other tools, and leaves those it made without them", () => {
    class Tickets {
      @tool({ description: "Lists." })
      async list(): Promise<void> {}
    }
    const spec = compiledSpec("list", { method: "list" }, { inputSchema: { type: "object", properties: { all: {} } } });
    const tickets = new Tickets();
    const compiled = toolsOf(tickets, { specs: [spec] });
    const plain = toolsOf(tickets);
    expect(plain[0]?.spec.inputSchema.properties).toEqual({});
    expect(compiled[0]?.spec.inputSchema.properties).toEqual({ all: {} });
    expect(toolsOf(tickets, { specs: [spec] })[0]?.spec).toEqual(compiled[0]?.spec);
    expect(toolsOf(tickets)).toBe(plain);
  });

  it("gives what the author's schema makes of arguments, and describes no parameter by what objects have", async () => {
    class Tickets {
      @tool({
        description: "Opens.",
        input: z.object({ title: z.string().trim(), valueOf: z.string().optional() }),
        parameterDescriptions: { title: "The title." },
      })
      async open({ title }: { title: string }): Promise<string> {
        return title;
      }
    }
    const tools = toolsOf(new Tickets());
    expect(tools[0]?.spec.inputSchema.properties).toMatchObject({
      title: { type: "string", description: "The title." },
      valueOf: { type: "string" },
    });
    expect(await valueOf(tools, "open", { title: " Rain ", valueOf: "1" })).toBe("Rain");
  });

  it("lets a description admit nothing that was refused", async () => {
    class Tickets {
      @tool({
        description: "Opens.",
        input: { type: "object", properties: { free: true, never: false } },
        parameterDescriptions: { free: "Anything.", never: "Not any more." },
      })
      async open(): Promise<string> {
        return "opened";
      }
    }
    const tools = toolsOf(new Tickets());
    expect(tools[0]?.spec.inputSchema.properties).toMatchObject({ free: { description: "Anything." } });
    expect(await valueOf(tools, "open", { free: 1 })).toBe("opened");
    expect(await valueOf(tools, "open", { never: 1 })).toMatchObject({ code: "invalid_input" });
  });

  it("checks outputs against the decorator's schema in place of the inferred one", async () => {
    class Clock {
      @tool({ description: "Now.", output: z.object({ at: z.string() }) })
      async now(): Promise<{ at: string }> {
        return { at: 5 as unknown as string };
      }
    }
    const spec = compiledSpec(
      "now",
      { method: "now", outputDates: ["/at"] },
      { inputSchema: { type: "object", properties: {} }, outputSchema: { type: "object" } },
    );
    const tools = toolsOf(new Clock(), { specs: [spec] });
    expect(tools[0]?.spec.outputSchema).toMatchObject({ properties: { at: { type: "string" } } });
    expect(tools[0]?.spec.implementation).toEqual({ compiled: true, method: "now" });
    expect(await valueOf(tools, "now")).toMatchObject({ code: "invalid_output" });
  });

  it.each<[string, () => unknown, string, RegExp]>([
    [
      "arguments without a schema",
      () =>
        toolsOf(
          new (class Needs {
            @tool({ description: "N." })
            async go(_where: string): Promise<void> {}
          })(),
        ),
      "takes arguments and has neither",
      /@tool\(\{ input.*aiw build.*toolsOf\(instance, \{ specs \}\)/,
    ],
    [
      "arguments that all have defaults",
      () =>
        toolsOf(
          new (class Needs {
            @tool({ description: "N." })
            async go(_where = "home"): Promise<void> {}
          })(),
        ),
      "takes arguments",
      /specs/,
    ],
    [
      "a description of a parameter the schema lacks",
      () =>
        toolsOf(
          new (class Needs {
            @tool({ description: "N.", input: z.object({ city: z.string() }), parameterDescriptions: { citty: "C." } })
            async go(_input: { city: string }): Promise<void> {}
          })(),
        ),
      "parameter citty",
      /Did you mean city\?/,
    ],
    [
      "a description of a parameter every object has",
      () =>
        toolsOf(
          new (class Needs {
            @tool({
              description: "N.",
              input: z.object({ city: z.string() }),
              parameterDescriptions: { toString: "C." },
            })
            async go(_input: { city: string }): Promise<void> {}
          })(),
        ),
      "parameter toString",
      /The schema has: city/,
    ],
    [
      "an order that leaves out a required parameter",
      () =>
        toolsOf(
          new (class Needs {
            @tool({ description: "N.", input: z.object({ a: z.string(), b: z.string() }), parameters: ["a"] })
            async go(_a: string): Promise<void> {}
          })(),
        ),
      "requires b",
      /Add "b"/,
    ],
    [
      "two methods of one tool name",
      () =>
        toolsOf(
          new (class Needs {
            @tool({ name: "Same", description: "N." })
            async one(): Promise<void> {}
            @tool({ name: "same", description: "N." })
            async two(): Promise<void> {}
          })(),
        ),
      "Two tool methods of",
      /@tool\(\{ name \}\)/,
    ],
    [
      "a class whose constructor needs arguments",
      () =>
        toolsOf(
          class Needs extends Base {
            constructor(readonly_: string) {
              super();
              void readonly_;
            }
          },
        ),
      "The constructor of Needs needs arguments",
      /toolsOf\(instance\)/,
    ],
    [
      "a class whose constructor throws",
      () =>
        toolsOf(
          class Needs extends Base {
            constructor() {
              super();
              throw new Error("no database");
            }
          },
        ),
      "no database",
      /constructor/,
    ],
    ...(
      [
        ["input that is a text", { input: "city" }, "/inputSchema must be", /Correct/],
        ["input that is null", { input: null }, "is not JSON", /zod/],
        ["parameters that are a text", { input: { type: "object" }, parameters: "a" }, "no list of names", /\["city"/],
        [
          "descriptions that are a list",
          { input: { type: "object" }, parameterDescriptions: [] },
          "no object",
          /city:/,
        ],
      ] as const
    ).map(([what, facts, message, fix]): [string, () => unknown, string, RegExp] => [
      what,
      () =>
        toolsOf(
          new (class Needs {
            @tool({ description: "N.", ...facts } as never)
            async go(): Promise<void> {}
          })(),
        ),
      message,
      fix,
    ]),
    ["a whole manifest", () => toolsOf(new Base(), { specs: { tools: [] } as never }), "no list", /manifest\.tools/],
    ["specs that are none", () => toolsOf(new Base(), { specs: [{} as never] }), "no spec of a function", /aiw build/],
    [
      "specs of another type",
      () => toolsOf(new Base(), { specs: [compiledSpec("who", {}, { type: "http" })] }),
      "no spec of a function",
      /aiw build/,
    ],
    ["a class without tools", () => toolsOf(class Empty {}), "Empty has no method with @tool", /instance/],
    ["a plain object", () => toolsOf({}), "has no method with @tool", /instance/],
    ["an object of no class", () => toolsOf(Object.create(null) as object), "has no method with @tool", /instance/],
    ["nothing", () => toolsOf(undefined as never), "undefined has no method", /instance/],
    [
      "a field that hides the method",
      () =>
        toolsOf(
          new (class Needs extends Base {
            override who = 1 as never;
          })(),
        ),
      "no method who any more",
      /hide/,
    ],
  ])("refuses %s, saying what to do", (_what, make, message, fix) => {
    expect(make).toThrow(
      expect.objectContaining({
        code: "tool_definition_invalid",
        message: expect.stringContaining(message),
        fix: expect.stringMatching(fix),
      }),
    );
  });

  it("knows methods that another copy of this package declared, and passes over what is no declaration", async () => {
    class Foreign {
      async hello(): Promise<string> {
        return "hello";
      }
    }
    const declared = { method: "hello", isStatic: false, facts: { description: "Hello." }, contractVersion: 7 };
    const metadata = { [Symbol.for("@aiw/core/tool-methods")]: [null, 1, {}, declared] };
    Object.defineProperty(Foreign, Symbol.metadata, { value: metadata });
    const [hello] = toolsOf(new Foreign());
    expect(hello).toMatchObject({ contractVersion: 7, spec: { name: "hello" } });
    expect(hello && (await hello.execute({}, {} as never))).toBe("hello");
    // What a newer contract declared is no tool of this one, wherever its definition is from.
    const specs = [compiledSpec("hello", { method: "hello" })];
    expect(toolsOf(new Foreign(), { specs })[0]?.contractVersion).toBe(7);
  });

  it("is there where nothing can be added to what the platform has", () => {
    const file = pathToFileURL(path.join(import.meta.dirname, "tools-of.ts")).href;
    const script = `import(${JSON.stringify(file)}).then(({ toolsOf }) => console.log(typeof toolsOf))`;
    const flags = ["--frozen-intrinsics", "--no-warnings", "--input-type=module", "--eval", script];
    const run = spawnSync(process.execPath, flags, { encoding: "utf8" });
    expect(run).toMatchObject({ status: 0, stdout: "function\n" });
  });

  it.each(["es2022", "es2024"])("works as tsc lowers decorators for %s", { timeout: 120_000 }, async (target) => {
    const directory = await mkdtemp(path.join(tmpdir(), "aiw-decorators-"));
    try {
      const decorator = pathToFileURL(path.join(import.meta.dirname, "tool-decorator.ts")).href;
      await writeFile(path.join(directory, "package.json"), '{ "type": "module" }');
      await writeFile(
        path.join(directory, "tickets.ts"),
        `// @ts-nocheck
        import { tool } from ${JSON.stringify(decorator)};
        class Parent {
          static { this.block = 1; }
          @tool({ description: "From the parent." }) async kept() { return this.text(); }
          @tool({ description: "Replaced." }) async replaced() { return "parent"; }
          text() { return "parent"; }
        }
        const mixed = (Base) => class extends Base { @tool({ description: "Mixed in." }) async mixed() { return this.text(); } };
        export class Tickets extends mixed(Parent) {
          @tool({ description: "Calls its parent." }) async replaced() { return "child of " + await super.replaced(); }
          @tool({ description: "Then." }) async then() { return "then"; }
          #count = 1;
          text() { return "child"; }
          @tool({ description: "Adds.", input: { type: "object", properties: { by: { type: "number" } } }, parameters: ["by"] })
          async add(by) { this.#count += by; return this.#count; }
          @tool({ description: "Streams." }) async *stream() { yield "a"; return this.#count; }
        }`,
      );
      const tsc = createRequire(import.meta.url)
        .resolve("typescript/package.json")
        .replace("package.json", "bin/tsc");
      const flags = ["--target", target, "--module", "nodenext", "--skipLibCheck", "--types", "", "tickets.ts"];
      const compiled = spawnSync(process.execPath, [tsc, ...flags], { cwd: directory, encoding: "utf8" });
      expect(compiled).toMatchObject({ status: 0, stdout: "" });
      const file = path.join(directory, "tickets.js");
      expect(await readFile(file, "utf8")).toContain("__esDecorate");
      const { Tickets } = (await import(pathToFileURL(file).href)) as { Tickets: new () => object };
      const tools = toolsOf(new Tickets());
      expect(namesOf(tools)).toEqual(["kept", "replaced", "mixed", "then", "add", "stream"]);
      expect(await valueOf(tools, "replaced")).toBe("child of parent");
      expect(await valueOf(tools, "mixed")).toBe("child");
      expect(await valueOf(tools, "then")).toBe("then");
      expect(await valueOf(tools, "kept")).toBe("child");
      expect(await valueOf(tools, "add", { by: 2 })).toBe(3);
      expect(await valueOf(tools, "stream")).toBe(3);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
