// Reads and checks the source with TypeScript alone and makes nothing of it.
import { createRequire } from "node:module";
import { printTimes } from "../../src/time-operation.ts";

const [dir] = process.argv.slice(2);
const ts = createRequire(import.meta.resolve("ts-json-schema-generator"))("typescript");
const started = performance.now();
const { config } = ts.readConfigFile(`${dir}/tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dir);
const program = ts.createProgram([`${dir}/src/index.ts`], options);
const diagnostics = program.getSemanticDiagnostics();
const spent = performance.now() - started;
const described =
  diagnostics.length === 0
    ? program.getSourceFiles().filter(({ fileName }) => fileName.includes("part-")).length * 20
    : 0;
printTimes([spent], { described });
