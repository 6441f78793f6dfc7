import { describe, expect, it } from "vitest";
import { makeProject } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

describe("aiw search", () => {
  it("finds tools by words of their descriptions, misspelt ones too", async () => {
    await using project = await makeProject();
    const { code, out } = await runAiw(project.cwd, ["search", "give", "the", "txt", "back"]);
    expect({ code, first: out.split("\n", 1)[0] }).toEqual({
      code: 0,
      first: "echo  acme-tools/echo  Gives the text back.",
    });
    expect((await runAiw(project.cwd, ["search", "text back", "--json"])).json()).toMatchObject({
      query: "text back",
      matches: [{ id: "acme-tools/echo", name: "echo", score: expect.any(Number) }],
    });
  });

  it("shows as many as asked for, of one toolset when it is named", async () => {
    await using project = await makeProject();
    const tags = (await runAiw(project.cwd, ["search", "demo", "--limit", "2", "--json"])).json();
    expect(tags).toMatchObject({ matches: { length: 2 } });
    await project.write("aiw.config.json", '{ "toolsets": { "risky": { "effects": { "destructive": true } } } }');
    expect((await runAiw(project.cwd, ["search", "demo", "--toolset", "risky", "--json"])).json()).toMatchObject({
      matches: [{ name: "wipe" }],
    });
  });

  it("ends with 1 when nothing fits, and says which packages it could not ask", async () => {
    await using project = await makeProject({ "fx-bad": '{ "aiwhisperer": {' });
    const { code, err, json } = await runAiw(project.cwd, ["search", "zzzzzzzz", "--json"]);
    expect({ code, said: json() }).toEqual({ code: 1, said: { query: "zzzzzzzz", matches: [] } });
    expect(err).toMatch(/left out +fx-bad: package_json_invalid/);
  });

  it.each(["0", "101", "1.5", "many", "", "-1"])("refuses --limit %j", async (limit) => {
    await using project = await makeProject();
    expect(await runAiw(project.cwd, ["search", "x", `--limit=${limit}`])).toMatchObject({
      code: 2,
      err: expect.stringContaining("whole number"),
    });
  });
});
