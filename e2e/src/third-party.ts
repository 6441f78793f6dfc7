import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A tool package of twenty lines, as a stranger would write it in plain JavaScript. */
const SHOUT = {
  "package.json": JSON.stringify({
    name: "stranger-tool-shout",
    version: "1.2.3",
    type: "module",
    aiwhisperer: { apiVersion: 1, tools: { shout: "./index.js#shout" } },
    dependencies: { "@aiw/core": ">=0" },
  }),
  "index.js": `import { defineTool } from "@aiw/core";

export const shout = defineTool({
  name: "shout",
  description: "Repeats a text in capitals.",
  input: {
    type: "object",
    properties: { text: { type: "string", description: "What to shout." } },
    required: ["text"],
    additionalProperties: false,
  },
  effects: "pure",
  execute: ({ text }) => text.toUpperCase(),
});
`,
};

/** Writes the third-party package into a folder and gives its path. */
export async function writeShout(parent: string): Promise<string> {
  const folder = join(parent, "stranger-tool-shout");
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(SHOUT)) await writeFile(join(folder, name), content);
  return folder;
}
