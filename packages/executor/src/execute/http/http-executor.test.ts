import { gzipSync } from "node:zlib";
import { ToolError, type ToolContext, type ToolResult } from "@aiw/core";
import { nodePorts } from "@aiw/core/node";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { dataTool, failureOf, runDataTool } from "../__fixtures__/run-data-tool.ts";
import { serveHttp } from "../__fixtures__/serve-http.ts";
import { httpExecutor, type HttpExecutorOptions, type HttpGrants } from "./http-executor.ts";

const TEXT = { type: "string" };

async function call(
  implementation: object,
  input: Record<string, unknown> = {},
  {
    grants = {},
    parameters,
    readsEnvironment,
    ...options
  }: Omit<HttpExecutorOptions, "grants"> & {
    grants?: HttpGrants;
    parameters?: Record<string, object>;
    readsEnvironment?: boolean;
  } = {},
): Promise<ToolResult> {
  const known = parameters ?? Object.fromEntries(Object.keys(input).map((name) => [name, {}]));
  const http = httpExecutor({ ...options, grants: () => ({ allowPrivate: ["127.0.0.1"], ...grants }) });
  const tool = dataTool("http", implementation, { parameters: known, ...(readsEnvironment && { readsEnvironment }) });
  return await runDataTool(tool, input, { executors: { http } });
}

describe("httpExecutor", () => {
  it("gives the JSON of an answer", async () => {
    const server = await serveHttp((_request, response) => {
      response.setHeader("content-type", "application/problem+json; charset=utf-8").end('{"id":1}');
    });
    const result = await call({ url: `http://${server.host}/users/{id}?full={full}` }, { id: 7, full: true });
    expect(result).toMatchObject({ success: true, value: { id: 1 } });
    expect(server.seen).toMatchObject([{ method: "GET", url: "/users/7?full=true" }]);
  });

  it("gives text, decoded, and null for nothing", async () => {
    const server = await serveHttp((request, response) => {
      if (request.url === "/none") return void response.writeHead(204).end();
      response.writeHead(200, { "content-type": "text/plain; charset=latin1", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.from("Gr\u00fc\u00dfe", "latin1")));
    });
    expect(await call({ url: `http://${server.host}/` })).toMatchObject({ value: "Grüße" });
    expect(await call({ url: `http://${server.host}/none` })).toMatchObject({ success: true, value: null });
  });

  it("delivers any text as exactly one part of a path segment and one query value (SEC-SH-1)", async () => {
    const server = await serveHttp();
    const tool = { url: `http://${server.host}/a/{name}.x/b?fixed=1&q={text}` };
    const property = fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.string({ unit: "binary" }),
      async (name, text) => {
        server.seen.length = 0;
        const result = await call(tool, { name, text });
        if (!result.success) {
          expect(result.code).toBe("invalid_input");
          expect(server.seen).toEqual([]);
          return;
        }
        const [{ url, headers } = { url: "", headers: {} }] = server.seen;
        const seen = new URL(url, "http://x.test");
        const segments = seen.pathname.split("/");
        expect(segments).toHaveLength(4);
        expect(decodeURIComponent(segments[2] ?? "")).toBe(`${name}.x`);
        expect([...seen.searchParams]).toEqual([
          ["fixed", "1"],
          ["q", text],
        ]);
        expect(headers.host).toBe(server.host);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it.each(["", ".", "..", "../admin", "a/../b", "..\\b", "\0", "a\nb", "\ud800"])(
    "refuses %j as a part of a path, before anything is sent",
    async (name) => {
      const server = await serveHttp();
      expect(await failureOf(call({ url: `http://${server.host}/a/{name}/b` }, { name }))).toMatchObject({
        code: "invalid_input",
      });
      expect(server.seen).toEqual([]);
    },
  );

  it.each([
    "a/b",
    "a?b",
    "a#b",
    "a%2e%2e",
    "a&b=c",
    "@evil.test",
    "//evil.test",
    "a:b",
    "a;b",
    "日本",
    "'\"",
    "%2F..%2F",
  ])("sends %j as one segment", async (name) => {
    const server = await serveHttp();
    await call({ url: `http://${server.host}/a/{name}/b` }, { name });
    expect(server.seen.map(({ url }) => url.split("/").map(decodeURIComponent))).toEqual([["", "a", name, "b"]]);
  });

  it("refuses an argument that would make a segment of dots with what stands beside it", async () => {
    const server = await serveHttp();
    const failure = await failureOf(call({ url: `http://${server.host}/a/.{rest}/b` }, { rest: "." }));
    expect(failure.code).toBe("invalid_input");
  });

  it.each([
    "http://{host}/",
    "http://api.{host}.test/",
    "http://api.test{path}",
    "http://api.test:{port}/",
    "{url}",
    "{scheme}://api.test/",
    "http://{user}@api.test/",
    "http://api.test/#{part}",
    "http://api.test/?{name}=1",
    "ftp://api.test/",
    "http://api.test:25/",
    "http://user:secret@api.test/",
    "/relative/{id}",
    "http://api.test/{...list}",
    "http://api.test/{unknown}",
  ])("refuses the address %s of a spec", async (url) => {
    const names = ["host", "path", "port", "url", "scheme", "user", "part", "name", "id", "list"];
    const parameters = Object.fromEntries(names.map((name) => [name, TEXT]));
    expect(await failureOf(call({ url }, {}, { parameters }))).toMatchObject({ code: "implementation_invalid" });
  });

  it.each([
    { url: "http://api.test/", method: "HEAD" },
    { url: "http://api.test/", body: {} },
    { url: "http://api.test/", method: "POST", body: {}, form: {} },
    { url: "http://api.test/", headers: { host: "x" } },
    { url: "http://api.test/", headers: { "a b": "x" } },
    { url: "http://api.test/", headers: { "Content-Length": "1" } },
    { url: "http://api.test/", headers: { a: { $env: "A", more: 1 } } },
    { url: "http://api.test/", headers: { a: { $env: "not a name" } } },
    { url: "http://api.test/", maxBytes: 0 },
    { url: "http://api.test/", respose: "json" },
    { method: "GET" },
    "http://api.test/",
    null,
  ])("refuses the implementation %j", async (implementation) => {
    expect(await failureOf(call(implementation as object))).toMatchObject({ code: "implementation_invalid" });
  });

  it("places what has no place: in the query of a GET, as JSON in other bodies", async () => {
    const server = await serveHttp();
    await call({ url: `http://${server.host}/s` }, { q: "a b&c", tag: ["x", "y"] });
    await call({ method: "POST", url: `http://${server.host}/{id}` }, { id: "1", deep: { a: [1, null] } });
    expect(server.seen).toMatchObject([
      { method: "GET", url: "/s?q=a%20b%26c&tag=x&tag=y", body: "" },
      { method: "POST", url: "/1", body: '{"deep":{"a":[1,null]}}', headers: { "content-type": "application/json" } },
    ]);
  });

  it("puts arguments into a body as what they are, and leaves out what was not given", async () => {
    const server = await serveHttp();
    const body = {
      count: "{count}",
      note: "id {id}",
      list: ["{list}", "{gone}"],
      gone: "{gone}",
      fixed: [true, null],
      "{id}": 1,
    };
    const parameters = { count: {}, id: {}, list: {}, gone: {} };
    await call(
      { method: "PUT", url: `http://${server.host}/`, body },
      { count: 3, id: 'a"b', list: [{}] },
      { parameters },
    );
    expect(JSON.parse(server.seen[0]?.body ?? "")).toEqual({
      count: 3,
      note: 'id a"b',
      list: [[{}]],
      fixed: [true, null],
      "{id}": 1,
    });
  });

  it("writes forms", async () => {
    const server = await serveHttp();
    await call({ method: "POST", url: `http://${server.host}/`, form: { a: "{a}", b: ["x", "{a}"] } }, { a: "1&b=2" });
    expect(server.seen).toMatchObject([
      { body: "a=1%26b%3D2&b=x1%26b%3D2", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ]);
  });

  it("lets no argument add a header", async () => {
    const server = await serveHttp();
    const headers = { "x-name": "{name}" };
    expect(await failureOf(call({ url: `http://${server.host}/`, headers }, { name: "a\r\nx-evil: 1" }))).toMatchObject(
      { code: "invalid_input" },
    );
    await call({ url: `http://${server.host}/`, headers }, { name: "a" });
    expect(server.seen).toMatchObject([{ headers: { "x-name": "a" } }]);
  });

  it("reads variables for specs that may, and tells nobody their values", async () => {
    const server = await serveHttp();
    const spec = {
      url: `http://${server.host}/`,
      headers: { authorization: ["Bearer ", { $env: "KEY" }] },
      query: { key: { $env: "KEY" } },
    };
    const grants = { environment: { KEY: "s3cret-value" } };
    const refused = await failureOf(call(spec, {}, { grants }));
    expect(refused).toMatchObject({ code: "not_configured" });
    expect(JSON.stringify(refused)).not.toContain("s3cret-value");
    expect(await failureOf(call(spec, {}, { grants: { environment: {} }, readsEnvironment: true }))).toMatchObject({
      code: "not_configured",
    });
    await call(spec, {}, { grants, readsEnvironment: true });
    expect(server.seen).toMatchObject([
      { url: "/?key=s3cret-value", headers: { authorization: "Bearer s3cret-value" } },
    ]);
  });

  it.each([
    [200, "application/json"],
    [200, "text/plain"],
    [401, "application/json"],
    [401, "text/plain"],
  ])("shows no secret of a request that a server repeats in an answer of status %d as %s", async (status, type) => {
    const server = await serveHttp(({ headers, url }, response) => {
      const said = JSON.stringify({ token: headers.authorization, url, count: 12_345_678 }).replaceAll("/", "\\/");
      response.writeHead(status, { "content-type": type }).end(said);
    });
    const spec = {
      url: `http://${server.host}/`,
      headers: { authorization: ["Bearer ", { $env: "KEY" }] },
      query: { pin: { $env: "PIN" } },
    };
    const grants = { environment: { KEY: type === "text/plain" ? "s3cret-value" : "s3cret/value", PIN: "12345678" } };
    const result = await call(spec, {}, { grants, readsEnvironment: true });
    const shown = JSON.stringify(result);
    expect(shown).toContain("Bearer [KEY hidden]");
    expect(shown).toContain("pin=[PIN hidden]");
    expect(shown).not.toMatch(/s3cret.{1,3}value/);
    if (type === "application/json") expect(shown).toContain("12345678");
  });

  it("reaches no address that is not public unless the operator allows it (SEC-NET-5)", async () => {
    const server = await serveHttp();
    const grants = { allowPrivate: [] };
    for (const host of [
      server.host,
      server.host.replace("127.0.0.1", "localhost"),
      server.host.replace("127.0.0.1", "2130706433"),
    ]) {
      expect(await failureOf(call({ url: `http://${host}/` }, {}, { grants }))).toMatchObject({
        code: "blocked_address",
        status: "denied",
      });
    }
    const ports = { ...nodePorts, lookup: () => Promise.resolve(["127.0.0.1"]) };
    const rebound = call({ url: `http://public.test:${server.host.split(":")[1]}/` }, {}, { grants, ports });
    expect(await failureOf(rebound)).toMatchObject({ code: "blocked_address" });
    expect(server.seen).toEqual([]);
  });

  it("ignores the proxies of the environment (SEC-NET-7)", async () => {
    const proxy = await serveHttp();
    const server = await serveHttp();
    vi.stubEnv("HTTP_PROXY", `http://${proxy.host}`);
    vi.stubEnv("http_proxy", `http://${proxy.host}`);
    await call({ url: `http://${server.host}/` });
    vi.unstubAllEnvs();
    expect([proxy.seen.length, server.seen.length]).toEqual([0, 1]);
  });

  it("checks every redirect, and sends credentials to their own origin alone (SEC-NET-4)", async () => {
    const other = await serveHttp();
    const server = await serveHttp((request, response) => {
      const location = { "/": "/again", "/again": `http://${other.host}/`, "/inward": "http://169.254.169.254/" }[
        request.url
      ];
      response.writeHead(302, { location }).end();
    });
    const headers = { "x-api-key": "k", authorization: "b" };
    expect(await call({ url: `http://${server.host}/`, headers })).toMatchObject({ success: true });
    expect(server.seen).toMatchObject([{ headers }, { headers }]);
    expect(other.seen[0]?.headers).not.toHaveProperty("x-api-key");
    expect(other.seen[0]?.headers).not.toHaveProperty("authorization");
    expect(await failureOf(call({ url: `http://${server.host}/inward` }))).toMatchObject({ code: "blocked_address" });
  });

  it("sends a body on within its origin alone, and ends circles", async () => {
    const other = await serveHttp();
    const server = await serveHttp((request, response) => {
      if (request.url === "/done") return void response.end();
      const location =
        { "/same": "/done", "/see": "/done", "/other": `http://${other.host}/` }[request.url] ?? request.url;
      response.writeHead(request.url === "/see" ? 303 : 307, { location }).end();
    });
    const post = async (path: string): Promise<string> => {
      const result = await call({ method: "POST", url: `http://${server.host}${path}`, body: { a: 1 } });
      return result.success ? "sent" : result.code;
    };
    expect(await post("/same")).toBe("sent");
    expect(server.seen.at(-1)).toMatchObject({ method: "POST", url: "/done", body: '{"a":1}' });
    expect(await post("/see")).toBe("sent");
    expect(server.seen.at(-1)).toMatchObject({ method: "GET", url: "/done", body: "" });
    expect(await post("/other")).toBe("blocked_url");
    expect(await post("/round")).toBe("http_error");
    expect(other.seen).toEqual([]);
  });

  it.each([
    [400, false],
    [401, false],
    [404, false],
    [429, true],
    [500, false],
    [503, true],
  ])("tells of status %d, and whether it may pass", async (status, retryable) => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(status, { "content-type": "application/json", "retry-after": "7" }).end('{"error":"no"}');
    });
    expect(await failureOf(call({ url: `http://${server.host}/` }))).toMatchObject({
      code: "http_error",
      retryable,
      details: { status_code: status, retry_after_ms: 7000, body: { error: "no" } },
    });
  });

  it("tells no more than a part of a long failure", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(500, { "content-type": "text/plain" }).end("x".repeat(1_000_000));
    });
    const { details } = await failureOf(call({ url: `http://${server.host}/` }));
    expect(String(details?.["body"]).length).toBeLessThan(5000);
  });

  it("reads no more bytes than it may, counted after decoding (SEC-NET-8)", async () => {
    const server = await serveHttp((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" })
        .end(gzipSync("a".repeat(100_000)));
    });
    expect(await failureOf(call({ url: `http://${server.host}/`, maxBytes: 99_999 }))).toMatchObject({
      code: "response_too_large",
    });
    expect(await failureOf(call({ url: `http://${server.host}/` }, {}, { grants: { maxBytes: 10 } }))).toMatchObject({
      code: "response_too_large",
    });
  });

  it.each([
    ["application/json", "{"],
    ["application/json", Buffer.from([0xff])],
  ])("says when %s is none", async (type, body) => {
    const server = await serveHttp(
      (_request, response) => void response.writeHead(200, { "content-type": type }).end(body),
    );
    expect(await failureOf(call({ url: `http://${server.host}/` }))).toMatchObject({ code: "invalid_output" });
  });

  it("gives no bytes that are no text", async () => {
    const server = await serveHttp(
      (_request, response) => void response.writeHead(200, { "content-type": "image/png" }).end("x"),
    );
    expect(await failureOf(call({ url: `http://${server.host}/` }))).toMatchObject({ code: "unsupported_content" });
  });

  it("ends with the call while a server is silent", async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serveHttp(() => arrived.resolve());
    const controller = new AbortController();
    const tool = dataTool("http", { url: `http://${server.host}/` });
    const http = httpExecutor({ grants: () => ({ allowPrivate: ["127.0.0.1"] }) });
    const ended = runDataTool(tool, {}, { executors: { http }, signal: controller.signal });
    await arrived.promise;
    controller.abort(new ToolError("cancelled", "Enough."));
    expect(await failureOf(ended)).toMatchObject({ code: "cancelled", settled: true });
  });

  it("sends the host's headers, which the spec's own outrank", async () => {
    const server = await serveHttp();
    const headersOf = () => ({ Tenant: "t-1", accept: "x/y" });
    await call({ url: `http://${server.host}/`, headers: { accept: "a/b" } }, {}, { headersOf });
    expect(server.seen).toMatchObject([{ headers: { tenant: "t-1", accept: "a/b" } }]);
  });

  it("says which trace a request belongs to, and nothing more of it", async () => {
    const server = await serveHttp();
    const http = httpExecutor({ grants: () => ({ allowPrivate: ["127.0.0.1"] }) });
    const { signal } = new AbortController();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const traces = [
      { traceparent, tracestate: "vendor=1", baggage: "user=ada" },
      { traceparent, tracestate: "a\r\nb" },
      { traceparent: `${traceparent}\r\nx: y` },
      undefined,
    ];
    for (const traceContext of traces)
      await http.execute(
        { tool: dataTool("http", { url: `http://${server.host}/` }), input: {}, arguments: {}, options: {} },
        { signal, traceContext } as ToolContext,
      );
    const seen = server.seen.map(({ headers }) => [headers["traceparent"], headers["tracestate"], headers["baggage"]]);
    expect(seen).toEqual([
      [traceparent, "vendor=1", undefined],
      [traceparent, undefined, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it("sends the key of a call that may be repeated, where the method has effects", async () => {
    const server = await serveHttp();
    const http = httpExecutor({ grants: () => ({ allowPrivate: ["127.0.0.1"] }) });
    const run = (context: unknown, method: string): unknown => {
      const tool = dataTool("http", { method, url: `http://${server.host}/` });
      return http.execute({ tool, input: {}, arguments: {}, options: {} }, context as ToolContext);
    };
    const { signal } = new AbortController();
    await run({ signal, idempotencyKey: "k-1" }, "POST");
    await run({ signal, idempotencyKey: "k-1" }, "GET");
    await run({ signal, idempotencyKey: "a\r\nb" }, "POST");
    expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["k-1", undefined, undefined]);
  });

  it("survives an answer of any depth", async () => {
    const server = await serveHttp((_request, response) => {
      response.setHeader("content-type", "application/json").end(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    });
    const result = await call({ url: `http://${server.host}/` });
    expect(result.call.callId).not.toBe("");
  });
});
