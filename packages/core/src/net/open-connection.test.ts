import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDeadline } from "./deadline.ts";
import { nodePorts, type NetworkPorts } from "./network-ports.ts";
import { openConnection } from "./open-connection.ts";
import { parseUrl } from "./parse-url.ts";
import { createTargetPolicy, type TargetPolicy } from "./target-policy.ts";

const SETTING = "the list allow_private";
const DENY_ALL_PRIVATE = createTargetPolicy({ allowPrivate: [], blockedHosts: ["blocked.test"], setting: SETTING });

interface Listener {
  readonly port: number;
  connections(): number;
}

async function listen(): Promise<Listener> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return { port: (server.address() as AddressInfo).port, connections: () => accepted };
}

async function connectCode(url: string, policy: TargetPolicy, ports: NetworkPorts = nodePorts): Promise<string> {
  using deadline = startDeadline(new AbortController().signal, { timeoutMs: 5000 });
  try {
    const socket = await openConnection({ target: parseUrl(url), policy, ports, deadline });
    socket.destroy();
    return "connected";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("openConnection", () => {
  it("checks the target by itself, whoever checked before", async () => {
    const listener = await listen();
    const asked: string[] = [];
    const ports: NetworkPorts = {
      ...nodePorts,
      lookup: (hostname) => {
        asked.push(hostname);
        return Promise.resolve(["93.184.215.14"]);
      },
    };
    expect(await connectCode(`http://127.0.0.1:${listener.port}/`, DENY_ALL_PRIVATE, ports)).toBe("blocked_address");
    expect(await connectCode("http://blocked.test/", DENY_ALL_PRIVATE, ports)).toBe("blocked_url");
    expect([listener.connections(), asked]).toEqual([0, []]);
  });

  it("dials no name that has one address that is not public (SEC-NET-3)", async () => {
    const listener = await listen();
    const ports: NetworkPorts = { ...nodePorts, lookup: () => Promise.resolve(["93.184.215.14", "127.0.0.1"]) };
    expect(await connectCode(`http://two.test:${listener.port}/`, DENY_ALL_PRIVATE, ports)).toBe("blocked_address");
    expect(listener.connections()).toBe(0);
  });

  it("lets nothing be sent where another address answers than the one that was checked", async () => {
    const listener = await listen();
    const ports: NetworkPorts = {
      ...nodePorts,
      lookup: () => Promise.resolve(["93.184.215.14"]),
      dial: (_address, _port, signal) => nodePorts.dial("127.0.0.1", listener.port, signal),
    };
    expect(await connectCode("http://public.test/", DENY_ALL_PRIVATE, ports)).toBe("blocked_address");
  });

  it("connects to what the operator allows", async () => {
    const listener = await listen();
    const policy = createTargetPolicy({ allowPrivate: ["127.0.0.1"], setting: SETTING });
    expect(await connectCode(`http://127.0.0.1:${listener.port}/`, policy)).toBe("connected");
    expect(listener.connections()).toBe(1);
  });
});
