// The list of a request to a model, as generateText prepares it for every step.
import { tool } from "ai";
import { prepareTools } from "ai/internal";
import { measure } from "../measure.mjs";

await measure((tools) => {
  const set = Object.fromEntries(
    tools.map(({ name, description, schema, execute }) => [name, tool({ description, inputSchema: schema, execute })]),
  );
  return () => prepareTools({ tools: set });
});
