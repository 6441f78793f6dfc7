import { AiwError } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { INSTALLED, type Packages } from "./packages.ts";
import { openTelemetry, telemetry } from "./telemetry.ts";
import type { TelemetryOptions } from "./telemetry-options.ts";
import { configure } from "./configure.ts";
import { ToolRegistry } from "@aiw/core";

const missing = (): never => {
  throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
};

async function failureOf(work: Promise<unknown>): Promise<AiwError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!AiwError.is(thrown)) throw new TypeError("It did not fail as it should.");
  return thrown;
}

describe("telemetry, options", () => {
  it.each<readonly [unknown, RegExp]>([
    [{ otpl: {} }, /Did you mean otlp/],
    [{ otlp: { endpoint: "collector:4318" } }, /127\.0\.0\.1:4318/],
    [{ otlp: { endpoint: "file:///etc/passwd" } }, /4318/],
    [{ otlp: { endpoint: "http://user:pass@collector" } }, /headers/],
    [{ otlp: { endpoint: "http://collector/?a=1" } }, /4318/],
    [{ otlp: { endpoint: "http://c", headers: { "bad name": "x" } } }, /Correct/],
    [{ otlp: { endpoint: "http://c", headers: { key: "a\r\nb" } } }, /Correct/],
    [{ otlp: { endpoint: "http://c", headers: { key: 7 } } }, /Correct/],
    [{ otlp: { endpoint: "http://c", protocol: "grpc" } }, /http\/json/],
    [{ otlp: { endpoint: "http://c", header: {} } }, /headers/],
    [{ prometheus: { port: 70_000 } }, /65535/],
    [{ prometheus: { port: "9464" } }, /65535/],
    [{ prometheus: { host: "" } }, /127\.0\.0\.1/],
    [{ prometheus: true }, /\{ \}/],
    [{ global: true }, /otlp/],
    [null, /\{ \}/],
  ])("refuses %j", async (options, fix) => {
    const error = await failureOf(telemetry(options as TelemetryOptions));
    expect(error).toMatchObject({ code: "config_invalid" });
    expect(error.fix).toMatch(fix);
    expect(JSON.stringify([error.message, error.fix])).not.toContain("pass@");
  });

  it.each<readonly [TelemetryOptions, Partial<Packages>, string]>([
    [{}, { api: missing }, "npm install @opentelemetry/api"],
    [
      { otlp: { endpoint: "http://127.0.0.1:1" } },
      { trace: missing },
      "npm install @opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/sdk-metrics @opentelemetry/resources @opentelemetry/otlp-transformer",
    ],
    [
      { prometheus: { port: 0 } },
      { prometheus: missing },
      "npm install @opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/sdk-metrics @opentelemetry/resources @opentelemetry/exporter-prometheus",
    ],
  ])("says what to install when packages are missing", async (options, packages, fix) => {
    const error = await failureOf(openTelemetry(options, { ...INSTALLED, ...packages }));
    expect(error).toMatchObject({ code: "extension_unavailable", fix });
  });

  it("lets other faults of packages through", async () => {
    const broken = new Error("broken");
    const packages = { ...INSTALLED, api: () => Promise.reject(broken) };
    await expect(openTelemetry({}, packages)).rejects.toBe(broken);
  });
});

describe("configure", () => {
  it("reads secrets from the environment, and never says them", async () => {
    const host = { projectDir: "/project", registry: new ToolRegistry(), log: undefined };
    const headers = { key: { $env: "AIW_TEST_COLLECTOR_KEY" } };
    const settings = { otlp: { endpoint: "http://127.0.0.1:1", headers } };
    expect(await failureOf(Promise.resolve(configure(settings, host)))).toMatchObject({ code: "config_invalid" });
    process.env["AIW_TEST_COLLECTOR_KEY"] = "s3cr3t\n";
    try {
      const error = await failureOf(Promise.resolve(configure(settings, host)));
      expect(error.message).toContain("key");
      expect(error.message).not.toContain("s3cr3t");
      process.env["AIW_TEST_COLLECTOR_KEY"] = "s3cr3t";
      const extensions = [await configure(settings, host)].flat();
      expect(extensions.map(({ name, stage }) => [name, stage])).toEqual([["extensions.telemetry", "trace"]]);
      await Promise.all(extensions.map(async (extension) => extension.close?.()));
    } finally {
      delete process.env["AIW_TEST_COLLECTOR_KEY"];
    }
  });
});
