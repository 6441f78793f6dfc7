import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A page on this machine, served until it is disposed of. */
export interface PageServer extends AsyncDisposable {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  readonly url: string;
}

/** Serves one page at the root of a free loopback port. */
export async function startPageServer(html: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const found = request.url === "/" && (request.method === "GET" || request.method === "HEAD");
    response.writeHead(found ? 200 : 404, { "content-type": `text/${found ? "html" : "plain"}; charset=utf-8` });
    response.end(request.method === "HEAD" ? undefined : found ? html : "Only / is here.\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
