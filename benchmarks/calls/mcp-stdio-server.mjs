// The tools of the cases, as an MCP server brings them.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { CASES } from "./cases.mjs";

const server = new McpServer({ name: "bench", version: "1.0.0" });
for (const { name, description, schema, execute } of Object.values(CASES)) {
  server.registerTool(name, { description, inputSchema: schema }, async (input) => ({
    content: [{ type: "text", text: JSON.stringify(execute(input)) }],
  }));
}
await server.connect(new StdioServerTransport());
