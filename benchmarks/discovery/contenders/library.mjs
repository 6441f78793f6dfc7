// Ours as a host uses it: the whole pass, without the time its modules take to load.
import { performance } from "node:perf_hooks";
import { discoverTools } from "@aiw/core/node";

const started = performance.now();
const registry = await discoverTools({ projectDir: process.argv[2] });
const count = registry.entries().length;
const milliseconds = [performance.now() - started];
process.stdout.write(`${JSON.stringify({ count, milliseconds })}\n`);
