// The part of ours that touches the disk, as the report states it.
import { discoverTools } from "@aiw/core/node";

const registry = await discoverTools({ projectDir: process.argv[2] });
const { locate, read } = registry.report.ms;
process.stdout.write(`${JSON.stringify({ count: registry.entries().length, milliseconds: [locate + read] })}\n`);
