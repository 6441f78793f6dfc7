import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileSink, type AuditCallEntry } from "@aiw/extensions/audit";
import { describe, expect, it } from "vitest";
import { makeProject } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

const START = Date.parse("2026-11-20T15:00:00Z");

function entry(number: number, more: Partial<AuditCallEntry> = {}): AuditCallEntry {
  return {
    kind: "call",
    time: new Date(START + number).toISOString(),
    callId: `call-${number}`,
    tool: { id: "acme-tools/echo", name: "echo", package: "acme-tools", known: true },
    principal: { id: number % 2 === 0 ? "ann" : "bob" },
    arguments: { text: "hello \u202e" },
    outcome: { status: "ok" },
    startedAt: START + number * 60_000,
    durationMs: 12.4,
    attempts: 1,
    ...more,
  };
}

/** A project whose record has some calls. */
async function makeAudited(
  settings: object = { file: ".aiw/audit.jsonl" },
): Promise<Awaited<ReturnType<typeof makeProject>>> {
  const project = await makeProject();
  await project.write("aiw.config.json", JSON.stringify({ extensions: { audit: settings } }));
  expect((await runAiw(project.cwd, ["trust", "--yes"])).code).toBe(0);
  return project;
}

async function record(cwd: string, entries: readonly AuditCallEntry[]): Promise<string> {
  const file = join(cwd, ".aiw", "audit.jsonl");
  const sink = fileSink(file);
  await sink.append(entries);
  await sink.close();
  return file;
}

const REFUSED = entry(2, {
  outcome: { status: "denied", code: "denied_by_policy", type: "permission_error", settled: true },
});

describe("aiw audit", () => {
  it("shows the recorded calls, and those that filters leave", async () => {
    await using project = await makeAudited();
    await record(project.cwd, [entry(0), entry(1), REFUSED, entry(3)]);
    const all = await runAiw(project.cwd, ["audit"], { columns: 60, terminal: true });
    expect(all).toMatchObject({ code: 0, err: "" });
    expect(all.out).toContain("denied_by_policy");
    expect(all.out).not.toContain("\u202e");
    const ids = async (...flags: string[]): Promise<unknown> => {
      const { records } = (await runAiw(project.cwd, ["audit", "--json", ...flags])).json() as {
        records: { callId: string }[];
      };
      return records.map(({ callId }) => callId);
    };
    expect(await ids("--principal", "ann")).toEqual(["call-0", "call-2"]);
    expect(await ids("--status", "denied")).toEqual(["call-2"]);
    expect(await ids("--code", "denied_by_policy")).toEqual(["call-2"]);
    expect(await ids("--tool", "acme-tools/*", "--limit", "2")).toEqual(["call-2", "call-3"]);
    expect(await ids("--since", "2026-11-20T15:01Z", "--until", "2026-11-20T15:02:30Z")).toEqual(["call-1", "call-2"]);
    expect(await ids("--reverse", "--limit", "1")).toEqual(["call-3"]);
    expect(await ids("--call", "call-1")).toEqual(["call-1"]);
    expect(await ids("--since", "1s")).toEqual([]);
  });

  it("verifies, and names the place of a change with exit code 1", async () => {
    await using project = await makeAudited();
    const file = await record(project.cwd, [entry(0), entry(1), entry(2)]);
    const intact = await runAiw(project.cwd, ["audit", "verify"]);
    expect(intact).toMatchObject({ code: 0, out: expect.stringContaining("Intact") as string });
    await writeFile(file, (await readFile(file, "utf8")).replace("call-1", "call-7"));
    expect(await runAiw(project.cwd, ["audit", "verify"])).toMatchObject({
      code: 1,
      out: expect.stringContaining("line 2: the record was changed") as string,
    });
    expect((await runAiw(project.cwd, ["audit", "verify", "--json", "--file", file])).json()).toMatchObject({
      trail: file,
      intact: false,
      problems: [{ file, line: 2 }],
    });
  });

  it("takes a removed record for no intact one", async () => {
    await using project = await makeAudited();
    expect(await runAiw(project.cwd, ["audit"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("yet") as string,
    });
    expect((await runAiw(project.cwd, ["audit", "verify"])).code).toBe(1);
  });

  it("ends with 4 and the way out where nothing is configured, or nobody trusted it yet", async () => {
    await using project = await makeProject();
    expect(await runAiw(project.cwd, ["audit"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("aiw.config.json") as string,
    });
    await project.write("aiw.config.json", '{ "extensions": { "audit": { "onFailure": "warn" } } }');
    const waiting = await runAiw(project.cwd, ["audit", "--json"]);
    expect(waiting.code).toBe(4);
    expect(waiting.json()).toMatchObject({ error: { code: "audit_not_configured" } });
  });

  it.each([
    ["sideways"],
    ["--limit", "0"],
    ["--since", "yesterday"],
    ["--status", "bad"],
    ["verify", "--tool", "x"],
    ["--expect-head", "x"],
    ["--file", "missing"],
  ])("refuses %j %j", async (...words) => {
    await using project = await makeAudited();
    expect((await runAiw(project.cwd, ["audit", ...words.filter((word) => typeof word === "string")])).code).toBe(2);
  });
});
