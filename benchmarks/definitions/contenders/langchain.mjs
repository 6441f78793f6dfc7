// The list that a model is bound to.
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { measure } from "../measure.mjs";

await measure((tools) => {
  const made = tools.map(({ name, description, schema, execute }) => tool(execute, { name, description, schema }));
  return () => made.map((each) => convertToOpenAITool(each));
});
