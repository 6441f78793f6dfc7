import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ToolEntry } from "../contract/tool-source.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { createEntry } from "./create-entry.ts";
import { resolveNames, type ResolvedNames } from "./resolve-names.ts";
import { searchTools } from "./search-tools.ts";

const EFFECTS = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

function entry(
  name: string,
  description: string,
  facts: Partial<ToolSpec> & { readonly from?: string } = {},
): ToolEntry {
  const { from, metadata, ...rest } = facts;
  const spec: ToolSpec = {
    name,
    description,
    type: "function",
    inputSchema: { type: "object" },
    metadata: { tags: [], effects: EFFECTS, permissions: [], ...metadata },
    ...rest,
  };
  return createEntry({
    id: from === undefined ? name : `${from}/${name}`,
    name,
    spec,
    origin: from === undefined ? { source: "explicit" } : { source: "package", package: from },
    load: () => Promise.reject(new Error("A search runs no tool code.")),
  });
}

const files = [
  entry("move_file", "Moves a file, or renames it.", { from: "@acme/files" }),
  entry("delete_file", "Deletes a file for good.", { from: "@acme/files" }),
  entry("list_directory", "Lists what is in a directory.", {
    from: "@acme/files",
    inputSchema: {
      type: "object",
      properties: { glob: { type: "string", description: "Only names that fit this wildcard." } },
    },
  }),
  entry("createPullRequest", "Opens a pull request on GitHub.", { from: "forge" }),
  entry("send-mail", "Sends a message.", {
    from: "post",
    title: "Electronic mail",
    metadata: { tags: ["correspondence"], category: "office", effects: EFFECTS, permissions: [] },
  }),
];
const names = resolveNames(files);

async function search(query: string, among: ResolvedNames = names): Promise<string[]> {
  return (await searchTools(among, query)).map(({ name }) => name);
}

describe("searchTools", () => {
  it("finds a tool by a written request, whatever forms its words have", async () => {
    expect((await search("I need to rename a file in my project"))[0]).toBe("move_file");
    expect((await search("what is in these directories?"))[0]).toBe("list_directory");
    expect((await search("open pull requests"))[0]).toBe("createPullRequest");
  });

  it.each([
    ["title", "electronic"],
    ["tags", "correspondence"],
    ["tags", "office"],
    ["package", "post"],
  ])("finds a tool by its %s", async (field, word) => {
    const [first] = await searchTools(names, word);
    expect(first).toMatchObject({
      name: "send-mail",
      matched: { words: [word], fields: expect.arrayContaining([field]) },
    });
  });

  it("finds a tool by a parameter's name and description", async () => {
    expect(await searchTools(names, "glob")).toMatchObject([
      { name: "list_directory", matched: { fields: ["parameters"] } },
    ]);
    expect(await searchTools(names, "wildcard")).toMatchObject([
      { name: "list_directory", matched: { fields: ["details"] } },
    ]);
  });

  it.each([
    ["delte file", "delete_file"],
    ["list direcotry", "list_directory"],
    ["crate pull reqest", "createPullRequest"],
    ["send mesage", "send-mail"],
  ])("finds what the misspelt %s means", async (query, name) => {
    expect((await search(query))[0]).toBe(name);
  });

  it("knows words that mean what a tool's own words mean, and prefers the tool's own", async () => {
    expect((await search("erase a file"))[0]).toBe("delete_file");
    expect((await search("show the folder"))[0]).toBe("list_directory");
    const twins = resolveNames([entry("a", "Removes a lock."), entry("b", "Deletes a lock.")]);
    expect(await search("delete lock", twins)).toEqual(["b", "a"]);
  });

  it("puts the tool first whose name or id is asked for, however often others say it", async () => {
    const loud = resolveNames([
      entry("run", "Runs."),
      entry("rerun", `Says ${"run ".repeat(200)}`, { title: "run run run" }),
      entry("go", "Goes.", { from: "one" }),
      entry("go", "Goes.", { from: "two" }),
    ]);
    expect((await search("run", loud))[0]).toBe("run");
    expect((await searchTools(loud, " two/go "))[0]).toMatchObject({ id: "two/go", score: expect.any(Number) });
    expect((await search("Create pull-request"))[0]).toBe("createPullRequest");
    expect((await search("SEND_MAIL"))[0]).toBe("send-mail");
  });

  it("finds shadowed tools too, and tools whose definition is not loaded by their name", async () => {
    const unloaded = createEntry({
      id: "x/resize_image",
      name: "resize_image",
      origin: { source: "package" },
      load: vi.fn(),
    });
    const mixed = resolveNames([...files, entry("move_file", "Moves a file.", { from: "zeta" }), unloaded]);
    const ids = (await searchTools(mixed, "move file")).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["@acme/files/move_file", "zeta/move_file"]));
    expect(await searchTools(mixed, "resize")).toMatchObject([{ id: "x/resize_image", description: "" }]);
  });

  it("keeps to the filter, for an exact name too", async () => {
    expect(await searchTools(names, "move_file", { filter: { category: "office" } })).toEqual([]);
    expect(await searchTools(names, "file", { filter: { namePattern: "delete_*" } })).toMatchObject([
      { name: "delete_file" },
    ]);
  });

  it.each([
    [0, 0],
    [1, 1],
    [2.9, 2],
    [-3, 0],
    [Number.NaN, 3],
    [Number.POSITIVE_INFINITY, 3],
  ])("gives at most %s matches", async (limit, count) => {
    expect(await searchTools(names, "file directory", { limit })).toHaveLength(count);
  });

  it("gives equal matches in the order of their names", async () => {
    const equal = ["c", "a", "B", "b"].map((name) => entry(`tool_${name}`, "Does the same."));
    expect(await search("same", resolveNames(equal))).toEqual(["tool_B", "tool_a", "tool_b", "tool_c"]);
    expect(await search("same", resolveNames(equal.toReversed()))).toEqual(["tool_B", "tool_a", "tool_b", "tool_c"]);
  });

  it.each([
    ["nothing", ""],
    ["blanks", " \n\t "],
    ["control characters", "\u0000\u0007\u001b[2J\u202e"],
    ["half a character", "\ud800"],
    ["signs of regular expressions", "(((a+)+)+$ [^] \\p{L} *"],
    ["names of object members", "__proto__ constructor toString hasOwnProperty"],
    ["a megabyte without a border", "a".repeat(2 ** 20)],
    ["a megabyte of addresses", "http://".repeat(2 ** 17)],
    ["many words", Array.from({ length: 50_000 }, (_, index) => `w${index}x`).join(" ")],
  ])("survives a query of %s", async (_what, query) => {
    expect(await search(query)).toEqual([]);
  });

  it("survives tools with such words", async () => {
    const hostile = resolveNames([
      entry("constructor", "__proto__ toString valueOf"),
      entry("__proto__", "constructor", {
        inputSchema: JSON.parse(
          '{"type":"object","properties":{"__proto__":{"description":"hasOwnProperty"}}}',
        ) as ToolSpec["inputSchema"],
      }),
      entry("big", "x".repeat(2 ** 20)),
    ]);
    expect((await search("constructor", hostile))[0]).toBe("constructor");
    expect((await search("__proto__", hostile))[0]).toBe("__proto__");
    expect(await searchTools(hostile, "has own property")).toMatchObject([{ name: "__proto__" }]);
  });

  it("ends on schemas that contain themselves", async () => {
    const schema: Record<string, unknown> = { type: "object", description: "round and round" };
    schema["properties"] = { again: schema, items: { anyOf: [schema, schema], items: schema } };
    const round = resolveNames([entry("loop", "Loops.", { inputSchema: schema })]);
    expect(await searchTools(round, "again")).toMatchObject([{ name: "loop" }]);
  });

  it("never throws, gives tools of the snapshot alone, and no more than asked for", async () => {
    const ids = new Set(names.byId.keys());
    const reversed = resolveNames(files.toReversed());
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(10), async (query, limit) => {
        const matches = await searchTools(names, query, { limit });
        expect(matches.length).toBeLessThanOrEqual(limit);
        expect(matches.every(({ id }) => ids.has(id))).toBe(true);
        expect(
          matches.every(({ score }, index) => score <= (matches[index - 1]?.score ?? Number.POSITIVE_INFINITY)),
        ).toBe(true);
        expect(await searchTools(reversed, query, { limit })).toEqual(matches);
      }),
      { numRuns: 50 },
    );
  });

  it("finds one among thousands", async () => {
    const verbs = ["read", "write", "list", "send", "count"];
    const things = ["invoice", "ticket", "customer", "shipment", "refund"];
    const many = Array.from({ length: 5000 }, (_, index) => {
      const [verb = "", thing = ""] = [verbs[index % 5], things[Math.floor(index / 5) % 5]];
      return entry(`${verb}_${thing}_${index}`, `${verb} one ${thing} of the department ${index}`);
    });
    const crowded = resolveNames([...many, entry("calibrate_telescope", "Aligns the mirror of a telescope.")]);
    expect((await search("please calibrate the telescop", crowded))[0]).toBe("calibrate_telescope");
    expect((await search("read_ticket_5", crowded))[0]).toBe("read_ticket_5");
    expect(await search("shipment", crowded)).toHaveLength(8);
  });
});
