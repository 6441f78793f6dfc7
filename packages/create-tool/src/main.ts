#!/usr/bin/env node
/** Runs the command line of this process. */
import { createTool } from "./create-tool.ts";
import { processWorld } from "./world.ts";

process.exitCode = await createTool(process.argv.slice(2), processWorld());
