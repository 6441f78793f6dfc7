// The list that a client gets of a server in the same process.
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { measure } from "../measure.mjs";

await measure(async (tools) => {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, schema, execute } of tools)
    server.registerTool(name, { description, inputSchema: schema }, async () => ({
      content: [{ type: "text", text: execute() }],
    }));
  const client = new Client({ name: "bench", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return async () => (await client.listTools()).tools;
});
