// One request of a client to a server in another process, over its standard streams.
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { measure } from "../measure.mjs";

const client = new Client({ name: "bench", version: "1.0.0" });
const server = path.join(import.meta.dirname, "../mcp-stdio-server.mjs");
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));

await measure(({ name }) => {
  const read = ({ content, isError }) => {
    if (isError) throw new Error(content[0].text);
    return JSON.parse(content[0].text);
  };
  return { call: (_text, args) => client.callTool({ name, arguments: args }), read };
});
await client.close();
