import { request } from "node:http";
import * as api from "@opentelemetry/api";
import { AiwError } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openCollector } from "./__fixtures__/collector.ts";
import { add, flaky, makeHost, outer, wipe } from "./__fixtures__/make-host.ts";
import { telemetry } from "./telemetry.ts";

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function get(url: string, { method = "GET", host }: { method?: string; host?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, agent: false, ...(host !== undefined && { headers: { host } }) },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", text }),
        );
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

const LIMITS = { retry: { attempts: 2, baseMs: 1, maxMs: 1 } };

describe("telemetry, over OTLP", () => {
  it.each([undefined, "http/json"] as const)("sends what is left when it closes (%s)", async (protocol) => {
    await using collector = await openCollector();
    const headers = { "x-key": "k1" };
    const extension = await telemetry({
      otlp: { endpoint: collector.endpoint, headers, ...(protocol !== undefined && { protocol }) },
      serviceName: "agent-7",
    });
    const { executor } = makeHost(extension, {
      tools: [add, wipe, outer, flaky(1)],
      limits: LIMITS,
      approver: () => ({ decision: "allow" }),
    });
    await executor.execute("outer", {});
    await executor.execute("wipe", { what: "disk" });
    await executor.execute("flaky", {});
    await executor.execute("add", {});
    await executor.close();
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
    for (const { headers: sent } of collector.requests)
      expect(sent).toMatchObject({ "x-key": "k1", "content-type": "application/json" });
    const spans = collector.spans();
    expect(spans.map(({ name }) => name)).toEqual([
      "execute_tool add",
      "aiw.tool_call add",
      "execute_tool outer",
      "aiw.tool_call outer",
      "execute_tool wipe",
      "aiw.tool_call wipe",
      "execute_tool flaky",
      "aiw.tool_call flaky",
      "aiw.tool_call add",
    ]);
    const [, nested, within] = spans;
    expect(nested?.parentSpanId).toBe(within?.spanId);
    expect(spans[5]?.events.map(({ name }) => name)).toEqual(["aiw.approval.request", "aiw.approval.decision"]);
    expect(spans[6]?.events.map(({ name }) => name)).toEqual(["aiw.retry"]);
    expect(spans[8]?.status).toEqual({ code: 2, message: "invalid_input" });
    expect(new Set(collector.serviceNames())).toEqual(new Set(["agent-7"]));
    expect(collector.metrics().map(({ name, unit }) => `${name} ${unit}`)).toEqual(
      expect.arrayContaining([
        "gen_ai.execute_tool.duration s",
        "aiw.tool.calls {call}",
        "aiw.tool.calls.active {call}",
        "aiw.tool.approvals {approval}",
        "aiw.tool.approval.wait s",
        "aiw.tool.retries {retry}",
        "aiw.tool.slot.wait s",
      ]),
    );
  });

  it("speaks protobuf where it is asked to", async () => {
    await using collector = await openCollector();
    const extension = await telemetry({ otlp: { endpoint: `${collector.endpoint}/base/`, protocol: "http/protobuf" } });
    const { executor } = makeHost(extension);
    await executor.execute("add", { a: 1, b: 2 });
    await executor.close();
    const traces = collector.requests.find(({ path }) => path === "/base/v1/traces");
    expect(traces?.headers["content-type"]).toBe("application/x-protobuf");
    expect(traces?.body.includes("execute_tool add")).toBe(true);
  });

  it("tries again what a busy collector refused, and counts what it lost for good", async () => {
    await using collector = await openCollector();
    const extension = await telemetry({ otlp: { endpoint: collector.endpoint }, prometheus: { port: 0 } });
    const { executor } = makeHost(extension);
    const url = extension.prometheus?.url ?? "";
    const lost = async (): Promise<string | undefined> =>
      /aiw_events_dropped_total\{sink="otlp"\} (\d+)/.exec((await get(url)).text)?.[1];
    // A full batch, of 512 spans, is sent at once.
    const fill = () => Promise.all(Array.from({ length: 256 }, () => executor.execute("add", { a: 1, b: 2 })));
    collector.answers.push(400);
    await fill();
    await expect.poll(lost, { timeout: 10_000 }).toBeDefined();
    const before = await lost();
    collector.answers.push(503);
    await fill();
    const bodies = () => collector.requests.slice(1).map(({ body }) => body.toString("latin1"));
    await expect.poll(() => bodies().length - new Set(bodies()).size, { timeout: 10_000 }).toBe(1);
    expect(await lost()).toBe(before);
    await executor.close();
  });

  it.each(["nobody listens", "nobody answers"])(
    "neither slows nor breaks a call, and closes, when %s",
    async (what) => {
      await using collector = await openCollector({ hang: true });
      const endpoint = what === "nobody listens" ? "http://127.0.0.1:1" : collector.endpoint;
      const { executor } = makeHost(await telemetry({ otlp: { endpoint } }), { limits: { queue: 5000 } });
      const results = await Promise.all(Array.from({ length: 3000 }, () => executor.execute("add", { a: 1, b: 2 })));
      expect(results.every(({ success }) => success)).toBe(true);
      await executor.close();
    },
  );

  it("drops what there is no room for, and says how many", async () => {
    await using collector = await openCollector({ hang: true });
    const extension = await telemetry({ otlp: { endpoint: collector.endpoint }, prometheus: { port: 0 } });
    const { executor } = makeHost(extension, { limits: { queue: 5000 } });
    // 6,000 spans: one batch of 512 is being sent, 2,048 wait.
    await Promise.all(Array.from({ length: 3000 }, () => executor.execute("add", { a: 1, b: 2 })));
    const { text } = await get(extension.prometheus?.url ?? "");
    const dropped = Number(/aiw_events_dropped_total\{sink="otlp"\} (\d+)/.exec(text)?.[1]);
    expect(dropped).toBeGreaterThanOrEqual(6000 - 512 - 2048);
    expect(dropped).toBeLessThan(6000);
    await executor.close();
  });
});

describe("telemetry, for Prometheus", () => {
  it("says by the convention's names what happened", async () => {
    const extension = await telemetry({ prometheus: { port: 0 }, serviceName: "agent-7" });
    const { executor } = makeHost(extension, {
      tools: [add, wipe, flaky(1)],
      limits: LIMITS,
      approver: () => ({ decision: "deny" }),
    });
    await executor.execute("add", { a: 1, b: 2 });
    await executor.execute("wipe", { what: "disk" });
    await executor.execute("flaky", {});
    await executor.execute("invented", {});
    const { status, type, text } = await get(extension.prometheus?.url ?? "");
    expect({ status, type }).toEqual({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" });
    for (const line of [
      "# TYPE gen_ai_execute_tool_duration_seconds histogram",
      'gen_ai_execute_tool_duration_seconds_count{gen_ai_operation_name="execute_tool",gen_ai_tool_name="add"} 1',
      "# TYPE aiw_tool_calls_total counter",
      'aiw_tool_calls_total{gen_ai_tool_name="add",status="ok"} 1',
      'aiw_tool_calls_total{gen_ai_tool_name="wipe",status="denied",code="approval_denied"} 1',
      'aiw_tool_calls_total{gen_ai_tool_name="_unknown",status="error",code="tool_not_found"} 1',
      "# TYPE aiw_tool_calls_active gauge",
      'aiw_tool_calls_active{gen_ai_tool_name="add"} 0',
      'aiw_tool_approvals_total{gen_ai_tool_name="wipe",decision="deny"} 1',
      'aiw_tool_approval_wait_seconds_count{gen_ai_tool_name="wipe",decision="deny"} 1',
      'aiw_tool_retries_total{gen_ai_tool_name="flaky"} 1',
      'aiw_tool_slot_wait_seconds_count{gen_ai_tool_name="add"} 1',
    ])
      expect(text.split("\n")).toContain(line);
    expect(text).toMatch(/gen_ai_execute_tool_duration_seconds_bucket\{[^}]*gen_ai_tool_name="add",le="0\.001"\}/);
    expect(text).toMatch(/gen_ai_execute_tool_duration_seconds_bucket\{[^}]*gen_ai_tool_name="add",le="300"\}/);
    expect(text).toMatch(/target_info\{[^}]*service_name="agent-7"/);
    expect(text).not.toContain("invented");
    await executor.close();
  });

  it("listens on this machine alone, answers one question, and knows its own name (SEC-HTTP-1, SEC-HTTP-2)", async () => {
    const extension = await telemetry({ prometheus: { port: 0 } });
    const { host = "", port = 0, url = "" } = extension.prometheus ?? {};
    expect(host).toBe("127.0.0.1");
    expect(url).toBe(`http://127.0.0.1:${port}/metrics`);
    expect((await get(url, { host: `localhost:${port}` })).status).toBe(200);
    expect((await get(`${url}?name[]=up`)).status).toBe(200);
    for (const foreign of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1.evil.example:${port}`])
      expect((await get(url, { host: foreign })).status).toBe(403);
    for (const path of ["/", "/metrics/", "/metricsx", "/METRICS"])
      expect((await get(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
    for (const method of ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
      expect((await get(url, { method })).status).toBe(405);
    await extension.close?.();
    await expect(get(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("says which port is taken, and leaves nothing behind", async () => {
    await using collector = await openCollector();
    const first = await telemetry({ prometheus: { port: 0 } });
    const port = first.prometheus?.port ?? 0;
    const otlp = { endpoint: collector.endpoint };
    const error: unknown = await telemetry({ otlp, prometheus: { port } }).catch((thrown: unknown) => thrown);
    expect(AiwError.is(error) && error).toMatchObject({ code: "config_invalid" });
    expect(String(error)).toContain(`127.0.0.1:${port}`);
    await first.close?.();
    const second = await telemetry({ prometheus: { port } });
    expect(second.prometheus?.port).toBe(port);
    await second.close?.();
  });
});

describe("telemetry, for the whole process", () => {
  it("is the process's own until it closes, with contexts and headers", async () => {
    await using collector = await openCollector();
    const extension = await telemetry({ otlp: { endpoint: collector.endpoint }, global: true });
    const again: unknown = await telemetry({ prometheus: { port: 0 }, global: true }).catch(
      (thrown: unknown) => thrown,
    );
    expect(AiwError.is(again) && again.code).toBe("config_invalid");
    const { executor } = makeHost(extension);
    const carrier: Record<string, string> = {};
    await api.trace.getTracer("host").startActiveSpan("turn", async (span) => {
      await executor.execute("add", { a: 1, b: 2 });
      api.propagation.inject(api.context.active(), carrier);
      const read = api.propagation.extract(api.ROOT_CONTEXT, carrier);
      expect(api.trace.getSpanContext(read)?.spanId).toBe(span.spanContext().spanId);
      expect(carrier["traceparent"]).toContain(span.spanContext().traceId);
      span.end();
    });
    await executor.close();
    const spans = collector.spans();
    expect(spans.map(({ name }) => name)).toEqual(["execute_tool add", "aiw.tool_call add", "turn"]);
    expect(spans[1]?.parentSpanId).toBe(spans[2]?.spanId);
    expect(api.trace.getTracer("later").startSpan("x").isRecording()).toBe(false);
    expect(api.propagation.fields()).toEqual([]);
  });
});
