import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { RegistryAddress } from "../local-registry.ts";

/** A way to a registry that can be cut. */
export interface MortalRegistry extends AsyncDisposable {
  readonly address: RegistryAddress;
  /** What was asked for, in order. */
  readonly asked: readonly string[];
  /** Is told of each request before it is answered; one that it wants to be the last gets no answer, and nothing later either. */
  onRequest: (path: string) => "answer" | "die";
}

/** Passes on what is asked until it is to die; afterwards nobody listens there. */
export async function startMortalRegistry(real: RegistryAddress): Promise<MortalRegistry> {
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? "/";
    asked.push(path);
    if (mortal.onRequest(path) === "answer") return passOn(incoming, answer, real);
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  const { host } = new URL(real.url);
  const here = (text: string): string => text.replaceAll(host, `127.0.0.1:${port}`);
  const mortal: MortalRegistry = {
    address: { url: here(real.url), npmrc: here(real.npmrc), scopedNpmrc: here(real.scopedNpmrc) },
    asked,
    onRequest: () => "answer",
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return mortal;
}

/** With the host that was asked, so that the registry names archives by way of this one. */
function passOn(incoming: IncomingMessage, answer: ServerResponse, { url }: RegistryAddress): void {
  const onward = request(new URL(incoming.url ?? "/", url), { method: incoming.method, headers: incoming.headers });
  onward.on("response", (real) => {
    answer.writeHead(real.statusCode ?? 502, real.headers);
    real.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  incoming.pipe(onward);
}
