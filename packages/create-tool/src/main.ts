#!/usr/bin/env node
/** Runs the command line of this process. */

/** What scaffolded packages need too. */
const MINIMUM = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  process.stderr.write(
    `create-tool: Node.js ${MINIMUM.join(".")} or newer is needed; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  // Loaded now: an older Node.js could not even read them.
  const [{ createTool }, { processWorld }] = await Promise.all([import("./create-tool.ts"), import("./world.ts")]);
  process.exitCode = await createTool(process.argv.slice(2), processWorld());
}
