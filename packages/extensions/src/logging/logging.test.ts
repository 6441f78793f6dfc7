import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, ToolRegistry, type ToolLog } from "@aiw/core";
import { UnifiedToolExecutor } from "@aiw/executor";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { configure } from "./configure-logging.ts";
import { createLogger } from "./create-logger.ts";
import { logging, type LoggingExtension } from "./logging.ts";
import type { CreateLoggerOptions, LoggingOptions } from "./logging-options.ts";
import type { LogLevel, StructuredLogger } from "./structured-logger.ts";
import { toToolLog } from "./to-tool-log.ts";

const nothing = (): void => undefined;

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

function makeLogger(): { readonly logger: StructuredLogger; readonly lines: Line[] } {
  const lines: Line[] = [];
  const write =
    (level: LogLevel) =>
    (fields: object, message: string): void =>
      void lines.push({ level, message, fields: fields as Record<string, unknown> });
  return { lines, logger: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") } };
}

function makeExecutor(extension: LoggingExtension): UnifiedToolExecutor {
  const registry = new ToolRegistry();
  registry.register(
    defineTool({
      name: "talk",
      description: "Logs.",
      input: z.looseObject({}),
      effects: "pure",
      execute: (_input, { log }) => log.warn("From the tool.", { callId: "forged", token: "abcdefgh", at: "/a/b" }),
    }),
  );
  registry.register(
    defineTool({
      name: "fail",
      description: "Fails.",
      effects: "pure",
      execute: () => {
        throw new TypeError("bang");
      },
    }),
  );
  const executor = new UnifiedToolExecutor(registry, { extensions: [extension], log: extension.log });
  onTestFinished(() => executor.close());
  return executor;
}

describe("logging options", () => {
  const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  it.each<readonly [unknown, RegExp]>([
    [{ logger, secret: ["hunter2"] }, /Did you mean secrets/],
    [{ logger, secrets: "hunter2" }, /Correct/],
    [{ logger, levels: { refused: "warn" } }, /denied/],
    [{ logger, levels: { denied: "loud" } }, /debug, info, warn, error/],
    [{ logger: { info: nothing } }, /createLogger/],
    [{}, /createLogger/],
  ])("refuses %j", (options, fix) => {
    expect(() => logging(options as LoggingOptions)).toThrow(
      expect.objectContaining({ code: "config_invalid", fix: expect.stringMatching(fix) }),
    );
  });

  it.each([{ level: "loud" }, { lvel: "info" }])("refuses a logger of %j", async (options) => {
    await expect(createLogger(options as CreateLoggerOptions)).rejects.toMatchObject({ code: "config_invalid" });
  });

  it("takes a logger whose functions are inherited", () => {
    expect(logging({ logger: Object.create(logger) as StructuredLogger }).name).toBe("logging");
  });
});

describe("logging", () => {
  it("writes when a call begins and how it ended, each line with the call's id, the tool's own ones too", async () => {
    const { logger, lines } = makeLogger();
    const executor = makeExecutor(logging({ logger }));
    await executor.execute(
      "talk",
      { password: "hunter22" },
      { callId: "c1", sessionId: "s1", principal: { id: "ann" } },
    );
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ["debug", "Call began."],
      ["warn", "From the tool."],
      ["info", "Call succeeded."],
    ]);
    for (const { fields } of lines) expect(fields).toMatchObject({ callId: "c1", sessionId: "s1", tool: "talk" });
    expect(lines[1]?.fields["at"]).toBe("/a/b");
    expect(JSON.stringify(lines)).not.toMatch(/hunter22|abcdefgh/);
    expect(lines[2]?.fields).toMatchObject({ status: "ok", attempts: 1, principal: "ann" });
  });

  it("gives each outcome its level, or the one it is told", async () => {
    const { logger, lines } = makeLogger();
    const executor = makeExecutor(logging({ logger, levels: { error: "info" } }));
    await executor.execute("fail", {});
    expect(lines.at(-1)).toMatchObject({ level: "info", message: "Call failed.", fields: { code: "internal_error" } });
    const usual = makeLogger();
    await makeExecutor(logging({ logger: usual.logger })).execute("fail", {});
    expect(usual.lines.at(-1)?.level).toBe("error");
  });

  it("does not let a logger that throws into a call", async () => {
    const thrower = (): never => {
      throw new TypeError("no pipe");
    };
    const logger = { debug: thrower, info: thrower, warn: thrower, error: thrower };
    expect(await makeExecutor(logging({ logger })).execute("talk", {})).toMatchObject({ success: true });
  });
});

describe("toToolLog", () => {
  it("keeps what errors say, and survives what cannot be read", () => {
    const { logger, lines } = makeLogger();
    const log: ToolLog = toToolLog(logger, { secrets: ["known-secret"] });
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new TypeError("no");
        },
      },
    );
    log.error("It failed: known-secret", { error: new TypeError("bang\u202e", { cause: new TypeError("deep") }) });
    log.info("Hostile.", hostile);
    log.info("Large.", { text: "x".repeat(1_000_000) });
    expect(lines[0]?.message).toBe("It failed: [secret]");
    expect(lines[0]?.fields["error"]).toMatchObject({
      name: "TypeError",
      message: "bang\\u{202e}",
      cause: { message: "deep" },
    });
    expect(lines[1]?.fields).toEqual({ unreadable: true });
    expect(JSON.stringify(lines[2]?.fields).length).toBeLessThan(20_000);
  });
});

describe("configure", () => {
  it("writes JSON lines to a file of the project, for its user alone, by the time it is closed", async () => {
    const projectDir = await mkdtemp(join(tmpdir(), "aiw-logging-"));
    onTestFinished(() => rm(projectDir, { recursive: true, force: true }));
    const executor = makeExecutor(await configure({ file: "logs/calls.log" }, { projectDir }));
    await executor.execute("talk", {}, { callId: "c1" });
    await executor.close();
    const file = join(projectDir, "logs", "calls.log");
    const lines = (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { callId: "c1", msg: "From the tool." },
      { callId: "c1", msg: "Call succeeded.", status: "ok" },
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
