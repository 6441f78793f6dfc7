import { buildWorkspace } from "./build-workspace.ts";

const outcome = await buildWorkspace("inherit");
process.exitCode = outcome.code;
