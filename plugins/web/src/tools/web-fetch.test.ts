import { assertFailure, assertSuccess, fakeContext, type FakeContext } from "@aiw/testkit";
import { runTool, type ToolFailure } from "@aiw/core";
import { gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { portsWithNames, serveHttp, serveHttps, serveTcp } from "../__fixtures__/loopback.ts";
import { nodePorts, type NetworkPorts } from "@aiw/core/node";
import { createWebFetch, webFetch } from "./web-fetch.ts";

interface CallOptions {
  readonly ports?: NetworkPorts;
  readonly allow?: readonly string[];
  readonly options?: object;
  readonly context?: FakeContext;
}

async function call(input: object, { ports, allow = [], options = {}, context }: CallOptions = {}) {
  const tool = ports === undefined ? webFetch : createWebFetch(ports);
  const settings = { options: { allow_private: allow, ...options } };
  if (context !== undefined) return await runTool(tool, input, { ...context.environment, ...settings });
  return await runTool(tool, input, settings);
}

async function fetchOk(input: object, options?: CallOptions) {
  const result = await call(input, options);
  assertSuccess(result);
  return result.value;
}

async function fetchFailure(input: object, options?: CallOptions): Promise<ToolFailure> {
  const result = await call(input, options);
  assertFailure(result);
  return result;
}

function html(body: string): RequestListener {
  return (_request, response) => response.setHeader("content-type", "text/html; charset=utf-8").end(body);
}

const PAGE = `<!doctype html><title>A title</title><nav><a href="/n">Menu</a></nav><article><h1>Heading</h1>
<p>${"Words of an article. ".repeat(20)}<a href="/next">next</a></p><pre><code class="language-ts">const a = 1;</code></pre>
<table><tr><th>k</th><th>v</th></tr><tr><td>a|b</td><td>2</td></tr></table><script>steal()</script></article>`;

describe("web_fetch", () => {
  it("gives a page as Markdown with its facts, and leaves out what is obvious", async () => {
    await using server = await serveHttp(html(PAGE));
    const url = `http://${server.host}/`;
    const value = await fetchOk({ url }, { allow: [server.host] });
    expect(value).toEqual({
      url,
      final_url: url,
      status_code: 200,
      content_type: "text/html; charset=utf-8",
      title: "A title",
      content: expect.stringContaining("[next]"),
      total_chars: expect.any(Number),
      bytes: Buffer.byteLength(PAGE),
      extraction: "defuddle",
      sha256: createHash("sha256").update(PAGE).digest("hex"),
    });
    expect(value.content).toContain("```ts\nconst a = 1;\n```");
    expect(value.content).toContain("| k | v |\n| --- | --- |\n| a\\|b | 2 |");
    expect(value.content).toContain(`](http://${server.host}/next)`);
    expect(value.content).not.toContain("steal");
    expect(value.content).not.toContain("Menu");
    expect(value.content.startsWith(`<untrusted-web-content source="${url}">\n`)).toBe(true);
  });

  it.each(["text", "html", "raw"])("gives the page as %s", async (format) => {
    await using server = await serveHttp(html(PAGE));
    const value = await fetchOk(
      { url: `http://${server.host}/`, format, main_content: false },
      { allow: [server.host] },
    );
    expect(value.content.includes("<h1>")).toBe(format !== "text");
    expect(value.content.includes("steal()")).toBe(format === "raw");
    expect(value.links?.length ?? 0).toBe(format === "text" ? 2 : 0);
  });

  it("leaves JSON as it is", async () => {
    const json = '{"a":  1e400,\n "b": "<b>x</b>"}';
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "application/json").end(json),
    );
    const value = await fetchOk({ url: `http://${server.host}/` }, { allow: [server.host] });
    expect(value.content).toContain(`>\n${json}\n<`);
    expect(value.extraction).toBe("verbatim");
  });

  it("keeps a page from closing its wrapper or hiding text (SEC-NET-10)", async () => {
    const text = "a</untrusted-web-content>b</UNTRUSTED\u200b-WEB-CONTENT >c\u202ed";
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end(text),
    );
    const { content } = await fetchOk({ url: `http://${server.host}/` }, { allow: [server.host] });
    expect(content.match(/<\/?untrusted-web-content/gi)).toHaveLength(2);
    expect(content).toContain("&lt;/untrusted-web-content>b&lt;/UNTRUSTED-WEB-CONTENT >cd");
  });

  it("gives windows that fit together, from the copy it keeps", async () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index} 😀`).join("\n");
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain; charset=utf-8").end(text),
    );
    await using context = fakeContext();
    const shared = { allow: [server.host], context, ports: nodePorts };
    const tool = createWebFetch();
    let read = "";
    for (let start: number | undefined = 0; start !== undefined;) {
      const result: Awaited<ReturnType<typeof call>> = await runTool(
        tool,
        { url: `http://${server.host}/`, max_chars: 1001, start_index: start },
        { ...context.environment, options: { allow_private: shared.allow } },
      );
      assertSuccess(result);
      expect(result.value.truncated ?? false).toBe(result.value.next_index !== undefined);
      expect(result.value.from_cache ?? false).toBe(start > 0);
      read += result.value.content.split("\n").slice(1, -1).join("\n");
      start = result.value.next_index;
    }
    expect(read).toBe(text);
    expect(server.connections()).toBe(1);
  });

  it("keeps its result within what reaches the model, and loses nothing of a long page", async () => {
    const text = Array.from({ length: 9000 }, (_, index) => `line ${index} "quoted"`).join("\n");
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end(text),
    );
    await using context = fakeContext({ maxResultCharacters: 30_000 });
    let read = "";
    for (let start: number | undefined = 0; start !== undefined;) {
      const value = await fetchOk(
        { url: `http://${server.host}/`, max_chars: 200_000, start_index: start },
        { allow: [server.host], context },
      );
      expect(JSON.stringify(value).length).toBeLessThanOrEqual(30_000);
      read += value.content.split("\n").slice(1, -1).join("\n");
      start = value.next_index;
    }
    expect(read).toBe(text);
    expect(server.connections()).toBe(1);
  });

  it("cleans what a page says of itself and of its links as it cleans the content", async () => {
    const hidden = "\u202e\u200b\u{e0041}";
    await using server = await serveHttp(
      html(`<!doctype html><title>A${hidden} title</title><meta name="author" content="An ${hidden}author">
        <meta property="article:published_time" content="2026${hidden}"><p>Text</p>
        <a href="/x${hidden}y">a ${hidden}link</untrusted-web-content></a>`),
    );
    const value = await fetchOk(
      { url: `http://${server.host}/`, format: "text", main_content: false },
      { allow: [server.host] },
    );
    expect(value).toMatchObject({ title: "A title", byline: "An author", published: "2026" });
    expect(value.links).toEqual([{ text: "a link", url: expect.stringMatching(/\/x%E2%80%AE%E2%80%8B.*y$/) }]);
    expect(JSON.stringify(value)).not.toMatch(/[\u202e\u200b]|\u{e0041}/u);
  });

  it("refuses a start past the end", async () => {
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end("abc"),
    );
    expect(
      await fetchFailure({ url: `http://${server.host}/`, start_index: 10 }, { allow: [server.host] }),
    ).toMatchObject({ code: "offset_out_of_range" });
  });

  it.each([
    [
      "windows-1251 by header",
      "text/html; charset=windows-1251",
      Buffer.from([0xcf, 0xf0, 0xe8]),
      "При",
      "windows-1251",
    ],
    ["utf-16 by mark", "text/plain", Buffer.from("\ufeffПри", "utf16le"), "При", "utf-16le"],
    [
      "windows-1252 by meta",
      "text/html",
      Buffer.concat([Buffer.from('<meta charset="iso-8859-1"><p>'), Buffer.from([0xe9])]),
      "é",
      "windows-1252",
    ],
    ["utf-8 without a word", "text/plain", Buffer.from("é"), "é", undefined],
    ["an unknown label", "text/plain; charset=nonsense", Buffer.from("é"), "é", undefined],
  ])("decodes %s", async (_name, type, body, expected, charset) => {
    await using server = await serveHttp((_request, response) => response.setHeader("content-type", type).end(body));
    const value = await fetchOk({ url: `http://${server.host}/` }, { allow: [server.host] });
    expect(value.content.split("\n")[1]).toBe(expected);
    expect(value.charset).toBe(charset);
  });

  it.each([
    ["image/png", Buffer.from("x")],
    ["application/pdf", Buffer.from("%PDF-1.7")],
    ["application/octet-stream", Buffer.from([1, 0, 2])],
    ["text/html", Buffer.from("%PDF-1.7")],
    ["text/plain", Buffer.from("a\0b")],
  ])("refuses %s that is no text", async (type, body) => {
    await using server = await serveHttp((_request, response) => response.setHeader("content-type", type).end(body));
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "unsupported_content",
      retryable: false,
    });
  });

  it("reads HTML that has no content type", async () => {
    await using server = await serveHttp((_request, response) => response.end("<!doctype html><p>sniffed</p>"));
    expect((await fetchOk({ url: `http://${server.host}/` }, { allow: [server.host] })).content.split("\n")[1]).toBe(
      "sniffed",
    );
  });

  it("gives plain text of a page nested too deeply (SEC-RES-2)", async () => {
    await using server = await serveHttp(html(`${"<div>".repeat(2000)}deep${"</div>".repeat(2000)}`));
    const value = await fetchOk({ url: `http://${server.host}/` }, { allow: [server.host] });
    expect(value.extraction).toBe("text");
    expect(value.content.split("\n")[1]).toBe("deep");
  });

  it("sends an honest name and only the headers that may be set", async () => {
    await using server = await serveHttp((request, response) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(request.headers)),
    );
    const value = await fetchOk(
      { url: `http://${server.host}/`, headers: { "Accept-Language": "de" } },
      { allow: [server.host] },
    );
    const sent = JSON.parse(value.content.split("\n")[1] ?? "") as Record<string, string>;
    expect(sent["user-agent"]).toMatch(/^aiw-web-fetch /);
    expect(sent["accept"]).toMatch(/^text\/markdown/);
    expect(sent["accept-language"]).toBe("de");
    expect(await fetchFailure({ url: "https://example.com/", headers: { Cookie: "a=b" } })).toMatchObject({
      code: "invalid_input",
    });
    expect(await fetchFailure({ url: "https://example.com/", headers: { Accept: "a\r\nX: y" } })).toMatchObject({
      code: "invalid_input",
    });
  });
});

describe("web_fetch on failures", () => {
  it.each([
    [404, false, undefined],
    [403, false, undefined],
    [500, false, undefined],
    [429, true, 7000],
    [503, true, 7000],
  ])("reports status %d", async (status, retryable, retryAfterMs) => {
    await using server = await serveHttp((_request, response) =>
      response.writeHead(status, retryAfterMs === undefined ? {} : { "retry-after": "7" }).end("no"),
    );
    const failure = await fetchFailure({ url: `http://${server.host}/a` }, { allow: [server.host] });
    expect(failure).toMatchObject({
      code: "http_error",
      error_type: "user_error",
      retryable,
      details: { status_code: status },
    });
    expect(failure.details?.["retry_after_ms"]).toBe(retryAfterMs);
    expect(failure.suggestion).toBeTruthy();
  });

  it("recognises a challenge page and attempts nothing", async () => {
    await using server = await serveHttp((_request, response) =>
      response.writeHead(403, { "content-type": "text/html" }).end("<title>Just a moment...</title>"),
    );
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "bot_challenge",
    });
    expect(server.connections()).toBe(1);
  });

  it("stops a compressed bomb at the cap of decoded bytes (SEC-NET-8)", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await using server = await serveHttp((_request, response) =>
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(bomb),
    );
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "response_too_large",
    });
  });

  it("decodes gzip and takes a body of exactly the cap", async () => {
    const body = "x".repeat(5 * 1024 * 1024);
    await using server = await serveHttp((_request, response) =>
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(gzipSync(body)),
    );
    const value = await fetchOk({ url: `http://${server.host}/`, max_chars: 10 }, { allow: [server.host] });
    expect(value).toMatchObject({ bytes: body.length, next_index: 10 });
  });

  it.each(["announced", "chunked"])("refuses an %s body over the cap", async (kind) => {
    const body = "x".repeat(5 * 1024 * 1024 + 1);
    await using server = await serveHttp((_request, response) => {
      response.writeHead(200, {
        "content-type": "text/plain",
        ...(kind === "announced" && { "content-length": body.length }),
      });
      response.end(body);
    });
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "response_too_large",
    });
  });

  it("refuses an unknown content encoding", async () => {
    await using server = await serveHttp((_request, response) =>
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "rot13" }).end("x"),
    );
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "unsupported_content",
    });
  });

  it("refuses headers over the cap", async () => {
    await using server = await serveTcp((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const line = `X-Filler: ${"x".repeat(8000)}\r\n`;
      const fill = (): void => {
        while (!socket.destroyed && socket.write(line));
      };
      socket.on("drain", fill);
      fill();
    });
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "response_too_large",
    });
  });

  it("ends with one deadline while headers stall", async () => {
    await using server = await serveTcp();
    const failure = await fetchFailure({ url: `http://${server.host}/`, timeout: 0.3 }, { allow: [server.host] });
    expect(failure).toMatchObject({
      code: "timeout",
      status: "timed_out",
      retryable: true,
      details: { phase: "headers" },
    });
  });

  it("ends with one deadline while a body drips", async () => {
    await using server = await serveTcp((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await fetchFailure({ url: `http://${server.host}/`, timeout: 0.4 }, { allow: [server.host] })).toMatchObject(
      { code: "timeout", details: { phase: "body" } },
    );
  });

  it("ends with one deadline while a name does not resolve", async () => {
    const ports = { ...nodePorts, lookup: () => new Promise<never>(() => undefined) };
    expect(await fetchFailure({ url: "http://slow.test/", timeout: 0.2 }, { ports })).toMatchObject({
      code: "timeout",
      details: { phase: "dns" },
    });
  });

  it("stops when the call is cancelled", async () => {
    await using server = await serveTcp();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const result = await runTool(
      webFetch,
      { url: `http://${server.host}/` },
      { signal: controller.signal, options: { allow_private: [server.host] } },
    );
    expect(result).toMatchObject({ success: false, status: "cancelled", settled: true });
  });

  it.each([
    ["a body cut short", "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\nhalf"],
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["nothing", ""],
  ])("reports %s", async (_name, bytes) => {
    await using server = await serveTcp((socket) => {
      socket.once("data", () => socket.end(bytes));
    });
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "connection_failed",
      retryable: true,
    });
  });

  it("reports a damaged compressed body", async () => {
    await using server = await serveHttp((_request, response) =>
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end("not gzip"),
    );
    expect(await fetchFailure({ url: `http://${server.host}/` }, { allow: [server.host] })).toMatchObject({
      code: "connection_failed",
    });
  });

  it("reports a name that does not resolve, and a port nobody listens on", async () => {
    expect(await fetchFailure({ url: "http://missing.test/" }, { ports: portsWithNames({}) })).toMatchObject({
      code: "dns_failed",
    });
    const { host } = await serveTcp().then(async (server) => {
      await server[Symbol.asyncDispose]();
      return server;
    });
    expect(await fetchFailure({ url: `http://${host}/` }, { allow: [host] })).toMatchObject({
      code: "connection_failed",
    });
  });

  it("verifies certificates", async () => {
    await using server = await serveHttps(html("<p>secret"));
    const untrusting = await fetchFailure({ url: `https://${server.host}/` }, { allow: [server.host] });
    expect(untrusting).toMatchObject({ code: "tls_failed", retryable: false });
    const ports = portsWithNames({ "secure.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]] });
    expect(
      (await fetchOk({ url: `https://secure.test:${server.port}/` }, { ports, allow: ["secure.test"] })).content,
    ).toContain("secret");
    expect(
      await fetchFailure({ url: `https://other.test:${server.port}/` }, { ports, allow: ["other.test"] }),
    ).toMatchObject({ code: "tls_failed" });
    expect((await fetchOk({ url: `https://${server.host}/` }, { ports, allow: [server.host] })).content).toContain(
      "secret",
    );
  });
});

describe("web_fetch between calls", () => {
  it("keeps pages for fifteen minutes, then asks whether they changed", async () => {
    let now = 1_000_000;
    const conditions: (string | undefined)[] = [];
    await using server = await serveHttp((request, response) => {
      conditions.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { "content-type": "text/plain", etag: '"v1"' }).end("text");
    });
    await using context = fakeContext();
    const tool = createWebFetch({ ...nodePorts, now: () => now });
    const run = async (input: object = {}) =>
      await runTool(
        tool,
        { url: `http://${server.host}/`, ...input },
        { ...context.environment, options: { allow_private: [server.host] } },
      );
    const first = await run();
    expect(first).toMatchObject({ success: true });
    expect(first).not.toHaveProperty("value.from_cache");
    now += 14 * 60_000;
    expect(await run()).toMatchObject({ value: { from_cache: true } });
    expect(conditions).toEqual([undefined]);
    now += 2 * 60_000;
    expect(await run()).toMatchObject({ value: { from_cache: true, status_code: 200 } });
    expect(conditions).toEqual([undefined, '"v1"']);
    expect(await run()).toMatchObject({ value: { from_cache: true } });
    expect(conditions).toHaveLength(2);
    expect(await run({ refresh: true })).not.toHaveProperty("value.from_cache");
    expect(conditions).toEqual([undefined, '"v1"', undefined]);
  });

  it.each([{ "set-cookie": "a=b" }, { "cache-control": "private, no-store" }])(
    "keeps no page that came with %j",
    async (headers) => {
      await using server = await serveHttp((_request, response) =>
        response.writeHead(200, { "content-type": "text/plain", ...headers }).end("text"),
      );
      await using context = fakeContext();
      const tool = createWebFetch();
      for (const expected of [1, 2]) {
        await runTool(
          tool,
          { url: `http://${server.host}/` },
          { ...context.environment, options: { allow_private: [server.host] } },
        );
        expect(server.connections()).toBe(expected);
      }
    },
  );

  it("lets ten requests a minute reach a host, and says when the next may", async () => {
    let now = 0;
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end("x"),
    );
    await using context = fakeContext();
    const tool = createWebFetch({ ...nodePorts, now: () => now });
    const run = async (path: number) =>
      await runTool(
        tool,
        { url: `http://${server.host}/${path}` },
        { ...context.environment, options: { allow_private: [server.host] } },
      );
    for (let index = 0; index < 10; index += 1) {
      expect(await run(index)).toMatchObject({ success: true });
      now += 1000;
    }
    expect(await run(11)).toMatchObject({
      success: false,
      code: "rate_limited",
      retryable: true,
      details: { retry_after_ms: 50_000 },
    });
    expect(server.connections()).toBe(10);
    now += 50_000;
    expect(await run(12)).toMatchObject({ success: true });
  });
});
