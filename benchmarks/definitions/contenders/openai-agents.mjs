// Tools have their schema from the beginning; a request takes these fields of each.
import { tool } from "@openai/agents";
import { measure } from "../measure.mjs";

await measure((tools) => {
  const made = tools.map(({ name, description, schema, execute }) =>
    tool({ name, description, parameters: schema, execute }),
  );
  return () =>
    made.map(({ name, description, parameters, strict }) => ({
      type: "function",
      name,
      description,
      parameters,
      strict,
    }));
});
