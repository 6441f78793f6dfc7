import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A loopback server that answers every request with JSON. */
export async function startJsonServer(
  answer: (path: string, headers: IncomingHttpHeaders) => unknown,
  status = 200,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(request.url ?? "", request.headers)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
