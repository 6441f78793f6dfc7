import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from "node:net";
import { nodePorts, type NetworkPorts } from "@aiw/core/node";
import { certificate, privateKey } from "./test-certificate.ts";

/** A server on a free loopback port; disposing ends it and its connections. */
export interface LoopbackServer extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Connections accepted so far. */
  connections(): number;
}

/** Starts an HTTP server. */
export async function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  return await listen(createServer({ maxHeaderSize: 64 * 1024 }, listener));
}

/** Starts an HTTPS server with the certificate of these tests. */
export async function serveHttps(listener: RequestListener): Promise<LoopbackServer> {
  return await listen(createSecureServer({ cert: certificate, key: privateKey }, listener));
}

/** Starts a server that speaks whatever `onConnection` writes. */
export async function serveTcp(onConnection: (socket: Socket) => void = () => undefined): Promise<LoopbackServer> {
  return await listen(createTcpServer(onConnection));
}

async function listen(server: Server | TcpServer): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on("connection", (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    connections: () => accepted,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Real connections, and a resolver that answers from a list; each question takes the next answer. */
export function portsWithNames(names: Readonly<Record<string, readonly (readonly string[])[]>>): NetworkPorts & { readonly asked: string[]; readonly dialled: string[] } {
  const asked: string[] = [];
  const dialled: string[] = [];
  return {
    ...nodePorts,
    certificateAuthorities: certificate,
    asked,
    dialled,
    async lookup(hostname) {
      const answers = names[hostname] ?? [];
      const count = asked.filter((name) => name === hostname).length;
      asked.push(hostname);
      const answer = answers[Math.min(count, answers.length - 1)];
      if (answer === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      return answer;
    },
    async dial(address, port, signal) {
      dialled.push(`${address} ${port}`);
      return await nodePorts.dial(address, port, signal);
    },
  };
}
