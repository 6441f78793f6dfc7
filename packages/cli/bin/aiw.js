#!/usr/bin/env node
// Says what is missing before anything that an older Node cannot run is loaded.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  await import("../bundle/main.js");
} else {
  process.stderr.write(`aiw: needs Node 22.19 or newer, and this is Node ${process.versions.node}.\n`);
  process.exitCode = 4;
}
