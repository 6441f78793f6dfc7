import { openCompiled } from "./open-compiled.ts";

const { tools } = await openCompiled();
try {
  console.log(tools.registry.getAllAiPromptInstructions());
  console.log(await tools.executeTool("split_bill", { amount: 90, people: ["Ada", "Alan"] }));
} finally {
  await tools.close();
}
