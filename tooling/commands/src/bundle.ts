import { bundleCli } from "./bundle-cli.ts";

const complaints = await bundleCli();
for (const complaint of complaints) process.stderr.write(`packages/cli/bundle: ${complaint}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
