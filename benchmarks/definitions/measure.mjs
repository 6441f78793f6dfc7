// What every contender does: make its tools, say the definitions for a request, and be timed at the first time or at later ones.
import { printTimes, timeOperation } from "../src/time-operation.ts";
import { describeTools } from "./make-tools.mjs";

/**
 * `create(tools)` makes a framework's tools and gives a function that says the definitions as one list.
 * Arguments of the process: the number of tools, `first` (makes tools and says them, once) or `again` (says them once more).
 */
export async function measure(create) {
  const [count, mode, samples] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
  const tools = describeTools(count);
  const started = performance.now();
  const toDefinitions = await create(tools);
  const definitions = await toDefinitions();
  const first = [performance.now() - started];
  const answer = describeAnswer(definitions, tools);
  const warmUpMs = 50;
  printTimes(mode === "first" ? first : await timeOperation(() => toDefinitions(), { samples, warmUpMs }), answer);
}

/** How many there are and whether they say what a model needs: each name, its description and the fields of its schema. */
function describeAnswer(definitions, tools) {
  const text = JSON.stringify(definitions);
  const said = ({ name, description }) => text.includes(`"${name}"`) && text.includes(description);
  const complete = text.split('"Records at most."').length - 1 === tools.length;
  return { count: definitions.length, complete: complete && [tools[0], tools.at(-1)].every(said) };
}
