import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { liveAiw } from "../__fixtures__/live-aiw.ts";
import { runAiw, type EndedAiw } from "../__fixtures__/run-aiw.ts";
import { toolPackage, type PackageChange } from "../__fixtures__/tool-package.ts";
import type { Scorecard } from "./check/scorecard.ts";

const PATH = process.env["PATH"] ?? "";

async function check(change: PackageChange, ...args: readonly string[]): Promise<EndedAiw> {
  await using folder = await toolPackage(change);
  return await runAiw(folder.cwd, ["check", ...args], { environment: { PATH } });
}

function findingsOf(ended: EndedAiw): Record<string, string> {
  const { checks } = ended.json() as Scorecard;
  const red = checks.filter(({ result }) => result === "fail" || result === "warn");
  return Object.fromEntries(red.map(({ name, findings }) => [name, findings.map(({ reason }) => reason).join("\n")]));
}

/** A tool whose object has more than its definition. */
function withMember(member: string): PackageChange {
  return { code: `queueMicrotask(() => Object.assign(findTicket, { ${member} }));` };
}

/** A package whose tools take options, all of them needed. */
function withOptions(properties: Readonly<Record<string, object>>): PackageChange {
  const optionsSchema = { type: "object", properties, required: Object.keys(properties) };
  return {
    manifest: ({ tools, ...rest }) => ({ ...rest, optionsSchema, tools }),
    end: `export default { [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 1, optionsSchema: ${JSON.stringify(optionsSchema)}, tools: [findTicket] };`,
  };
}

describe("aiw check", () => {
  it("passes every check on a package that is fit to publish, packed by its own manager", async () => {
    const ended = await check({}, "--strict", "--json");
    const card = ended.json() as Scorecard;
    expect(findingsOf(ended)).toEqual({});
    expect({ code: ended.code, totals: card.totals }).toEqual({
      code: 0,
      totals: { pass: card.checks.length, warn: 0, fail: 0, skipped: 0 },
    });
    expect(card).toMatchObject({ package: { name: "@acme/aiw-tickets", version: "2.3.0" }, tools: ["find_ticket"] });
  });

  it("runs no script of the package, and leaves its folder as it was", async () => {
    const run = "node -e \"fs.writeFileSync('ran', '')\"";
    await using folder = await toolPackage({ packageJson: { scripts: { prepack: run, prepare: run, postpack: run } } });
    const before = await readdir(folder.cwd);
    const { code } = await runAiw(folder.cwd, ["check"], { environment: { PATH } });
    expect({ code, after: await readdir(folder.cwd) }).toEqual({ code: 0, after: before });
  });

  it("finds a manifest that is not what the code gives, by building again and by loading", async () => {
    await using other = await toolPackage({ spec: { description: "Finds one ticket by its number." } });
    const stale = await other.read("aiw-tools.json");
    const ended = await check({ files: { "aiw-tools.json": stale } }, "--json");
    expect(ended.code).toBe(1);
    expect(findingsOf(ended)).toEqual({
      manifest_fresh: "The code gives another manifest: find_ticket is different.",
      definitions: expect.stringContaining("The code's definition is not the listed one") as string,
    });
  });

  it("finds tools that break the contract", async () => {
    const ended = await check(withMember("assess: () => ({})"), "--json");
    expect(findingsOf(ended)).toEqual({ contract: expect.stringContaining("assess") as string });
  });

  it("gives tools that need options some of their schema, and does not tell of them", async () => {
    const ended = await check({ ...withOptions({ url: { type: "string", format: "uri" } }) }, "--json");
    expect(findingsOf(ended)).toEqual({});
    expect((ended.json() as Scorecard).totals).toMatchObject({ skipped: 0 });
  });

  it("finds options that hold secrets and do not say so", async () => {
    const ended = await check(withOptions({ api_token: { type: "string" } }), "--json");
    expect(findingsOf(ended)).toEqual({ contract: expect.stringContaining("api_token: mark the schema") as string });
  });

  it("says what to do where no options can be made up", async () => {
    const ended = await check(withOptions({ url: { type: "string", not: {} } }), "--json");
    const contract = (ended.json() as Scorecard).checks.find(({ name }) => name === "contract");
    expect(contract).toMatchObject({ result: "skipped", because: expect.stringContaining('"example"') as string });
  });

  it("finds what an import leaves in the folder for temporary files", async () => {
    const code =
      `import { mkdtempSync } from "node:fs"; import { tmpdir } from "node:os"; mkdtempSync(tmpdir() + "/left-by-tickets-");`.replace(
        "mkdtempSync(",
        'process.env.HOME.includes("aiw-check-") && mkdtempSync(',
      );
    const ended = await check({ code }, "--json");
    expect(findingsOf(ended)).toEqual({ import_surroundings: expect.stringContaining("left-by-tickets-") as string });
  });

  it("finds tools that end the process, by what it was doing", async () => {
    const ended = await check(
      {
        ...withMember("assess: () => process.exit(0)"),
        spec: {
          metadata: {
            tags: [],
            permissions: [],
            assess: true,
            effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
          },
        },
      },
      "--json",
    );
    expect(findingsOf(ended)["contract"]).toMatch(/^The process ended while it was at this: find_ticket .*verdict/);
  });

  it("tells people what blocks and what would be better, with the way out, and in lines they can read", async () => {
    const ended = await check({
      packageJson: { engines: undefined, license: undefined },
      spec: { name: "findTicket" },
    });
    expect(ended.code).toBe(1);
    expect(ended.out).toContain("@acme/aiw-tickets 2.3.0: 1 tool, 5 files");
    expect(ended.out).toContain("    package.json#/engines/node: It does not say which Node it needs.\n    Fix: ");
    expect(ended.out).toMatch(
      /\nfail \d+ of \d+ checks pass; \d block publishing, \d would be better otherwise\. Not ready: /,
    );
    expect(ended.out).not.toContain("\u001b");
    expect(ended.err).toBe("");
  });

  it("counts warnings as failures under --strict alone, and tells what passes under --all", async () => {
    const change = { packageJson: { license: undefined } };
    const [plain, strict] = [await check(change, "--all"), await check(change, "--strict")];
    expect([plain.code, strict.code]).toEqual([0, 1]);
    expect(plain.out).toContain("  pass install_scripts: nothing runs at install");
    expect(strict.out).toContain("--strict lets no warning pass");
  });

  it("shows its progress and colours at a terminal, within its width", async () => {
    await using folder = await toolPackage({ files: { "README.md": null } });
    const world = { environment: { PATH }, terminal: true, columns: 60 };
    const { out, err } = await runAiw(folder.cwd, ["check"], world);
    expect(out).toContain("\u001b[33m!\u001b[0m readme");
    expect(err).toContain("packing…");
    expect(err.endsWith("\r\u001b[K")).toBe(true);
    expect(
      stripVTControlCharacters(out)
        .split("\n")
        .filter((line) => line.length > 60),
    ).toEqual([]);
  });

  it("ends at Ctrl-C with 130, and leaves nothing", async () => {
    const temporary = await mkdtemp(join(tmpdir(), "aiw-check-test-"));
    onTestFinished(() => rm(temporary, { recursive: true }));
    await using folder = await toolPackage({ code: "for (;;);" });
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = temporary;
    onTestFinished(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });
    const { code, out } = await runAiw(folder.cwd, ["check"], {
      environment: { PATH },
      columns: 80,
      prepare: (fake) => fake.when("importing", () => fake.interrupt()),
    });
    expect({ code, out }).toEqual({ code: 130, out: "" });
    expect(await readdir(temporary)).toEqual([]);
  });

  it.each<NodeJS.Signals>(["SIGTERM", "SIGKILL"])("ends a module that spins, when %s ends it", async (signal) => {
    await using place = await temporaryWorkspace({ pid: "0" });
    const code = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(place.path("pid"))}, String(process.pid)); for (;;);`;
    await using folder = await toolPackage({ code });
    await using live = liveAiw(folder.cwd, ["check"], { TMPDIR: place.cwd });
    await vi.waitFor(async () => expect(Number(await place.read("pid"))).toBeGreaterThan(0), { timeout: 60_000 });
    const ended = await live.end(signal);
    if (signal === "SIGTERM") {
      expect(ended).toEqual({ code: 130, signal: null });
      expect((await readdir(place.cwd)).filter((name) => name.startsWith("aiw-"))).toEqual([]);
    }
    const pid = Number(await place.read("pid"));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 60_000 });
  });

  it("ends with 4 where there is no tool package", async () => {
    await using folder = await toolPackage({ packageJson: { aiwhisperer: undefined } });
    expect(await runAiw(folder.cwd, ["check"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("declares no tools") as string,
    });
    expect(await runAiw(folder.cwd, ["check", "nowhere"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("no package.json") as string,
    });
  });

  it("says why nothing was packed where the manager names no reason, and not where its log is", async () => {
    await using folder = await toolPackage({ packageJson: { files: ["index.js", null] } });
    const said = findingsOf(await runAiw(folder.cwd, ["check", "--json"], { environment: { PATH } }))["packs"];
    expect(said).toContain("files in package.json has to be a list of texts, and null is none");
    expect(said).not.toContain("complete log");
  });

  it("shows the first errors of a manager, bounded", async () => {
    const lines = ["npm error code EBAD", "npm error EBAD no such thing\u200b", ...Array(20).fill("npm error again")];
    const npm = `#!/bin/sh\ncat >&2 <<'END'\n${lines.join("\n")}\nnpm error A complete log of this run can be found in: /x-debug-0.log\nEND\nexit 1\n`;
    await using folder = await toolPackage({ files: { "bin/npm": npm } });
    await chmod(join(folder.cwd, "bin/npm"), 0o755);
    const environment = { PATH: `${join(folder.cwd, "bin")}:${PATH}` };
    const said = findingsOf(await runAiw(folder.cwd, ["check", "--json"], { environment }))["packs"];
    expect(said).toContain(String.raw`ended with 1: code EBAD | EBAD no such thing\u{200b} | again | again.`);
  });

  it("says who has to pack where nobody can", async () => {
    const packageJson = { dependencies: { "@aiw/core": "workspace:^" }, packageManager: "pnpm@12.0.0" };
    await using folder = await toolPackage({ packageJson });
    const ended = await runAiw(folder.cwd, ["check", "--json"]);
    expect(ended.code).toBe(1);
    expect(findingsOf(ended)).toEqual({ packs: expect.stringContaining("pnpm was not found") as string });
    expect((ended.json() as Scorecard).totals).toMatchObject({ fail: 1, warn: 0, pass: 0 });
  });
});
