import { runTool } from "@aiw/core";
import { describe, expect, it, vi } from "vitest";
import { portsWithNames, serveHttp, serveHttps, serveTcp } from "../__fixtures__/loopback.ts";
import { nodePorts, type NetworkPorts } from "@aiw/core/node";
import { createWebFetch } from "./web-fetch.ts";

async function fetchCode(
  url: string,
  {
    ports = nodePorts,
    ...options
  }: { ports?: NetworkPorts; allow_private?: string[]; allowed_hosts?: string[]; blocked_hosts?: string[] } = {},
): Promise<string> {
  const result = await runTool(createWebFetch(ports), { url, timeout: 10 }, { options });
  return result.success ? "fetched" : `${result.code} ${result.status}`;
}

describe("web_fetch on addresses that are not public", () => {
  it.each([
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0x7f.0x0.0x0.0x1",
    "http://0177.0.0.1",
    "http://017700000001",
    "http://127.0.0.1.",
    "http://１２７.０.０.１",
    "http://[::1]",
    "http://[0:0::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[::127.0.0.1]",
    "http://[64:ff9b::127.0.0.1]",
    "http://[2002:7f00:1::]",
    "http://[2001:0:7f00:1::1]",
    "http://0.0.0.0",
    "http://0",
    "http://[::]",
    "http://localhost",
    "http://localhost.",
    "http://LOCALHOST",
    "http://a.localhost",
    "http://localhost.localdomain",
  ])("opens no connection to %s (SEC-NET-5)", async (origin) => {
    await using listener = await serveTcp();
    expect(await fetchCode(`${origin}:${listener.port}/`)).toBe("blocked_address denied");
    expect(listener.connections()).toBe(0);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://168.63.129.16/",
    "http://metadata.google.internal/",
    "http://100.100.100.200/",
    "http://2852039166/",
    "http://192.168.1.1/",
    "http://10.1.2.3/",
    "http://printer.local/",
  ])("dials nothing for %s", async (url) => {
    const ports = portsWithNames({});
    expect(await fetchCode(url, { ports })).toBe("blocked_address denied");
    expect([...ports.asked, ...ports.dialled]).toEqual([]);
  });

  it.each([
    [["127.0.0.1"]],
    [["93.184.215.14", "127.0.0.1"]],
    [["2606:4700:4700::1111", "::1"]],
    [["::ffff:127.0.0.1"]],
    [["64:ff9b::7f00:1"]],
    [["fe80::1%eth0"]],
    [["nonsense"]],
  ])("dials nothing when a name resolves to %j", async (addresses) => {
    const ports = portsWithNames({ "pages.test": [addresses] });
    expect(await fetchCode("http://pages.test/", { ports })).toBe("blocked_address denied");
    expect(ports.dialled).toEqual([]);
  });

  it("does not say where a private name leads", async () => {
    const result = await runTool(createWebFetch(portsWithNames({ "pages.test": [["10.9.8.7"]] })), {
      url: "http://pages.test/",
    });
    expect(JSON.stringify(result)).not.toContain("10.9.8.7");
  });

  it("resolves once and dials what it checked, whatever the name says later (SEC-NET-3)", async () => {
    await using listener = await serveTcp();
    const ports = portsWithNames({ "rebind.test": [["93.184.215.14"], ["127.0.0.1"]] });
    const dialled: string[] = [];
    const refusing = {
      ...ports,
      dial: async (address: string) =>
        await Promise.reject(Object.assign(new Error(dialled.push(address).toString()), { code: "ECONNREFUSED" })),
    };
    expect(await fetchCode(`http://rebind.test:${listener.port}/`, { ports: refusing })).toBe(
      "connection_failed error",
    );
    expect(dialled).toEqual(["93.184.215.14"]);
    expect(ports.asked).toEqual(["rebind.test"]);
    expect(listener.connections()).toBe(0);
  });

  it("sends nothing over a connection that reached another address than the one checked", async () => {
    let received = 0;
    await using listener = await serveTcp((socket) => socket.on("data", (bytes) => (received += bytes.length)));
    const names = portsWithNames({ "pages.test": [["93.184.215.14"]] });
    const ports = {
      ...names,
      dial: async (_address: string, port: number, signal: AbortSignal) =>
        await nodePorts.dial("127.0.0.1", port, signal),
    };
    for (const scheme of ["http", "https"]) {
      expect(await fetchCode(`${scheme}://pages.test:${listener.port}/`, { ports })).toBe("blocked_address denied");
    }
    expect(received).toBe(0);
  });

  it("compares the connected address even where both would be allowed", async () => {
    await using listener = await serveTcp();
    const ports = {
      ...portsWithNames({ "pages.test": [["127.0.0.2"]] }),
      dial: async (_address: string, port: number, signal: AbortSignal) =>
        await nodePorts.dial("127.0.0.1", port, signal),
    };
    const url = `http://pages.test:${listener.port}/`;
    expect(await fetchCode(url, { ports, allow_private: ["pages.test"] })).toBe("blocked_address denied");
  });

  it("dials a public IPv6 literal without asking a resolver", async () => {
    const ports = portsWithNames({});
    const dialled: string[] = [];
    const refusing = {
      ...ports,
      dial: async (address: string) => {
        dialled.push(address);
        return await Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
      },
    };
    expect(await fetchCode("https://[2606:4700:4700:0::1111]/", { ports: refusing })).toBe("connection_failed error");
    expect([dialled, ports.asked]).toEqual([["2606:4700:4700::1111"], []]);
  });

  it("tries the next checked address when one does not answer", async () => {
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end("x"),
    );
    const ports = portsWithNames({ "two.test": [["127.0.0.2", "127.0.0.1"]] });
    const failingFirst = {
      ...ports,
      dial: async (address: string, port: number, signal: AbortSignal) =>
        address === "127.0.0.2" ? await Promise.reject(new Error("down")) : await ports.dial(address, port, signal),
    };
    expect(
      await fetchCode(`http://two.test:${server.port}/`, { ports: failingFirst, allow_private: ["two.test"] }),
    ).toBe("fetched");
  });
});

describe("web_fetch on what the operator allows", () => {
  it("reaches exactly the private target that is named", async () => {
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end("x"),
    );
    await using other = await serveTcp();
    const allow_private = [server.host];
    expect(await fetchCode(`http://${server.host}/`, { allow_private })).toBe("fetched");
    expect(await fetchCode(`http://2130706433:${server.port}/`, { allow_private })).toBe("fetched");
    expect(await fetchCode(`http://${other.host}/`, { allow_private })).toBe("blocked_address denied");
    expect(other.connections()).toBe(0);
    expect(await fetchCode(`http://127.0.0.1:${server.port}/`, { allow_private: ["127.0.0.1"] })).toBe("fetched");
  });

  it("does not let a trusted name lead to a metadata service", async () => {
    const ports = portsWithNames({ "wiki.test": [["169.254.169.254"]] });
    expect(await fetchCode("http://wiki.test/", { ports, allow_private: ["wiki.test"] })).toBe(
      "blocked_address denied",
    );
    expect(ports.dialled).toEqual([]);
  });

  it("compares host rules by labels at every hop (SEC-NET-6)", async () => {
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end("x"),
    );
    await using redirecting = await serveHttp((_request, response) =>
      response.writeHead(302, { location: `http://bad.test:${server.port}/` }).end(),
    );
    const ports = portsWithNames({
      "a.good.test": [["127.0.0.1"]],
      "notgood.test": [["127.0.0.1"]],
      "bad.test": [["127.0.0.1"]],
    });
    const rules = {
      ports,
      allow_private: ["*.good.test", "notgood.test", "bad.test"],
      allowed_hosts: ["*.good.test", "bad.test"],
      blocked_hosts: ["bad.test"],
    };
    expect(await fetchCode(`http://a.good.test:${server.port}/`, rules)).toBe("fetched");
    expect(await fetchCode(`http://notgood.test:${server.port}/`, rules)).toBe("blocked_url denied");
    expect(await fetchCode(`http://a.good.test:${redirecting.port}/`, rules)).toBe("blocked_url denied");
    expect(server.connections()).toBe(1);
  });

  it("refuses options that name no host", async () => {
    expect(await fetchCode("https://example.com/", { allow_private: ["http://127.0.0.1/"] })).toBe(
      "options_invalid error",
    );
  });
});

describe("web_fetch on redirects", () => {
  it.each([
    ["http://127.0.0.1:PORT/", "blocked_address denied"],
    ["http://2130706433:PORT/", "blocked_address denied"],
    ["http://[::ffff:127.0.0.1]:PORT/", "blocked_address denied"],
    ["//localhost.:PORT/", "blocked_address denied"],
    ["http://rebound.test:PORT/", "blocked_address denied"],
    ["http://user:pw@127.0.0.1:PORT/", "blocked_url denied"],
    ["http://0x7f.1:22/", "blocked_url denied"],
    ["file:///etc/passwd", "blocked_url denied"],
    ["data:text/html,x", "blocked_url denied"],
    ["http://[", "invalid_url error"],
  ])("opens no connection when led to %s (SEC-NET-4)", async (location, expected) => {
    await using listener = await serveTcp();
    await using first = await serveHttp((request, response) => {
      const next = request.url === "/" ? "/second" : location.replace("PORT", String(listener.port));
      response.writeHead(302, { location: next }).end();
    });
    const ports = portsWithNames({ "rebound.test": [["127.0.0.1"]] });
    expect(await fetchCode(`http://${first.host}/`, { ports, allow_private: [first.host] })).toBe(expected);
    expect(listener.connections()).toBe(0);
    expect(first.connections()).toBe(2);
  });

  it("refuses a step from https to http", async () => {
    await using plain = await serveTcp();
    await using secure = await serveHttps((_request, response) =>
      response.writeHead(301, { location: `http://${plain.host}/` }).end(),
    );
    const code = await fetchCode(`https://${secure.host}/`, {
      ports: portsWithNames({}),
      allow_private: [plain.host, secure.host],
    });
    expect(code).toBe("blocked_url denied");
    expect(plain.connections()).toBe(0);
  });

  it("follows five redirects and names them, and no sixth", async () => {
    await using server = await serveHttp((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 0) response.setHeader("content-type", "text/plain").end("end");
      else response.writeHead(307, { location: `/${step - 1}` }).end();
    });
    const tool = createWebFetch();
    const options = { allow_private: [server.host] };
    const five = await runTool(tool, { url: `http://${server.host}/5` }, { options });
    expect(five).toMatchObject({
      success: true,
      value: {
        final_url: `http://${server.host}/0`,
        redirects: [4, 3, 2, 1].map((step) => `http://${server.host}/${step}`),
      },
    });
    expect(await runTool(tool, { url: `http://${server.host}/6` }, { options })).toMatchObject({
      success: false,
      code: "http_error",
      retryable: false,
    });
    expect(server.connections()).toBe(12);
  });

  it("ends a circle", async () => {
    await using server = await serveHttp((request, response) =>
      response.writeHead(302, { location: request.url === "/a" ? "/b" : "/a" }).end(),
    );
    expect(await fetchCode(`http://${server.host}/a`, { allow_private: [server.host] })).toBe("http_error error");
    expect(server.connections()).toBe(2);
  });
});

describe("web_fetch and proxies of the environment", () => {
  it("uses none (SEC-NET-7)", async () => {
    await using proxy = await serveTcp();
    await using server = await serveHttp((_request, response) =>
      response.setHeader("content-type", "text/plain").end("x"),
    );
    for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"])
      vi.stubEnv(name, `http://${proxy.host}`);
    vi.stubEnv("NO_PROXY", "");
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    try {
      expect(await fetchCode(`http://${server.host}/`, { allow_private: [server.host] })).toBe("fetched");
    } finally {
      vi.unstubAllEnvs();
    }
    expect([proxy.connections(), server.connections()]).toEqual([0, 1]);
  });
});
