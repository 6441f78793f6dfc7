import { describe, expect, it } from "vitest";
import { portsWithNames, serveTcp } from "../__fixtures__/loopback.ts";
import { startDeadline } from "./deadline.ts";
import { guardedConnect, type GuardedConnectOptions } from "./guarded-connect.ts";
import { parseUrl } from "./parse-url.ts";
import { createTargetPolicy, type TargetPolicy } from "./target-policy.ts";

const DENY_ALL_PRIVATE = createTargetPolicy({ allow_private: [], allowed_hosts: [], blocked_hosts: ["blocked.test"] });

interface Attempt {
  readonly url: string;
  readonly hostname?: string;
  readonly protocol?: string;
  readonly policy?: TargetPolicy;
}

async function connectCode(attempt: Attempt, ports: GuardedConnectOptions["ports"]): Promise<string> {
  using deadline = startDeadline(5000, new AbortController().signal);
  const target = parseUrl(attempt.url);
  const connect = guardedConnect({ target, policy: attempt.policy ?? DENY_ALL_PRIVATE, ports, deadline });
  const { hostname = target.hostname, protocol = target.url.protocol } = attempt;
  return await new Promise((resolve) => {
    connect({ hostname, protocol, port: String(target.port) }, (...[error, socket]) => {
      socket?.destroy();
      resolve(error === null ? "connected" : (error as Error & { code: string }).code);
    });
  });
}

describe("guardedConnect", () => {
  it("checks the target by itself, whoever checked before", async () => {
    await using listener = await serveTcp();
    const ports = portsWithNames({ "blocked.test": [["93.184.215.14"]] });
    expect(await connectCode({ url: `http://127.0.0.1:${listener.port}/` }, ports)).toBe("blocked_address");
    expect(await connectCode({ url: "http://blocked.test/" }, ports)).toBe("blocked_url");
    expect([listener.connections(), ports.asked, ports.dialled]).toEqual([0, [], []]);
  });

  it("connects to nothing but the target it was made for", async () => {
    await using listener = await serveTcp();
    const ports = portsWithNames({});
    const policy = createTargetPolicy({ allow_private: ["127.0.0.1"], allowed_hosts: [], blocked_hosts: [] });
    const url = `http://127.0.0.1:${listener.port}/`;
    expect(await connectCode({ url, policy, hostname: "127.0.0.2" }, ports)).toBe("blocked_address");
    expect(await connectCode({ url, policy, protocol: "https:" }, ports)).toBe("blocked_address");
    expect(listener.connections()).toBe(0);
    expect(await connectCode({ url, policy }, ports)).toBe("connected");
  });
});
