// Schemas of the same types, which the functions take: it knows types and no functions.
import { createGenerator } from "ts-json-schema-generator";
import { printTimes } from "../../src/time-operation.ts";

const [dir, mode] = process.argv.slice(2);
const generate = () =>
  createGenerator({
    path: `${dir}/src/*.ts`,
    tsconfig: `${dir}/tsconfig.json`,
    type: "*",
    functions: "hide",
    skipTypeCheck: true,
  }).createSchema("*");
const started = performance.now();
let schema = generate();
let spent = performance.now() - started;
if (mode === "again") {
  const before = performance.now();
  schema = generate();
  spent = performance.now() - before;
}
const described = Object.entries(schema.definitions).filter(
  ([name, one]) => name.startsWith("Search") && one.properties?.limit?.maximum === 1000,
).length;
printTimes([spent], { described });
