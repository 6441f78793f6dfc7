import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as an OpenAI-compatible server gets it. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

/** What the server's model says: a call, or words. */
export type ChatReply = { readonly name: string; readonly arguments: string } | { readonly text: string };

/** A loopback server that streams given replies, one for each request, as OpenAI-compatible servers do. */
export async function startChatServer(
  replies: readonly ChatReply[],
): Promise<AsyncDisposable & { readonly url: string; readonly requests: ChatRequest[] }> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
      const reply = replies[requests.length] ?? { text: "Nothing more to say." };
      requests.push(JSON.parse(body) as ChatRequest);
      const send = (delta: object, finish_reason: string | null): void => {
        const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason }] };
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      if ("text" in reply) {
        send({ role: "assistant", content: reply.text }, null);
        send({}, "stop");
      } else {
        const call = { index: 0, id: `call_${requests.length}`, type: "function", function: reply };
        send({ role: "assistant", content: null, tool_calls: [call] }, null);
        send({}, "tool_calls");
      }
      response.end("data: [DONE]\n\n");
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
