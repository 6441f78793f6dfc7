// One request of a client to a server in the same process.
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { measure } from "../measure.mjs";

await measure(async ({ name, description, schema, execute }) => {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool(name, { description, inputSchema: schema }, async (input) => ({
    content: [{ type: "text", text: JSON.stringify(execute(input)) }],
  }));
  const client = new Client({ name: "bench", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const read = ({ content, isError }) => {
    if (isError) throw new Error(content[0].text);
    return JSON.parse(content[0].text);
  };
  return { call: (_text, args) => client.callTool({ name, arguments: args }), read };
});
