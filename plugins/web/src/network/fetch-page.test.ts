import { createTargetPolicy, parseUrl, startDeadline } from "@aiw/core/node";
import { describe, expect, it, vi } from "vitest";
import { portsWithNames, serveHttp, serveTcp } from "../__fixtures__/loopback.ts";
import { fetchPage } from "./fetch-page.ts";

async function fetchWith(
  url: string,
  { allow = [], headers = {} }: { allow?: string[]; headers?: Record<string, string> } = {},
) {
  using deadline = startDeadline(new AbortController().signal, { timeoutMs: 5000 });
  const policy = createTargetPolicy({ allowPrivate: allow, setting: "the list" });
  const admit = vi.fn<(hostname: string) => void>();
  const options = {
    headers,
    policy,
    ports: portsWithNames({ "other.test": [["127.0.0.1"]] }),
    deadline,
    admit,
    inspect: () => undefined,
  };
  const page = await fetchPage(parseUrl(url), options).catch((error: unknown) => (error as { code: string }).code);
  return { page, admitted: admit.mock.calls.flat() };
}

describe("fetchPage", () => {
  it("refuses a target before it counts as a request", async () => {
    expect(await fetchWith("http://127.0.0.1/")).toEqual({ page: "blocked_address", admitted: [] });
  });

  it("sends credentials to their own origin alone, and stores nothing they gave", async () => {
    const seen: unknown[] = [];
    await using second = await serveHttp((request, response) => {
      seen.push(request.headers.authorization);
      response.end("x");
    });
    await using first = await serveHttp((request, response) => {
      seen.push(request.headers.authorization);
      const location = request.url === "/" ? "/again" : `http://other.test:${second.port}/`;
      response.writeHead(302, { location }).end();
    });
    const allow = ["127.0.0.1", "other.test"];
    const { page, admitted } = await fetchWith(`http://${first.host}/`, {
      allow,
      headers: { Authorization: "Bearer t" },
    });
    expect(seen).toEqual(["Bearer t", "Bearer t", undefined]);
    expect(admitted).toEqual(["127.0.0.1", "127.0.0.1", "other.test"]);
    expect(page).toMatchObject({ mayBeStored: false });
  });

  it("takes headers of half a mebibyte", async () => {
    await using server = await serveTcp((socket) => {
      const filler = `X-Filler: ${"x".repeat(8000)}\r\n`.repeat(64);
      socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${filler}content-length: 1\r\n\r\nx`));
    });
    expect((await fetchWith(`http://${server.host}/`, { allow: [server.host] })).page).toMatchObject({
      statusCode: 200,
    });
  });
});
