/** Hosts enter here by discovery; programs may import the tools by name. */
import { defineToolPackage } from "@aiw/core";
import { shellOptions } from "./options.ts";
import { bash } from "./tools/bash.ts";
import { executeCommand } from "./tools/execute-command.ts";

export { SHELL_ERROR_CODES } from "./errors.ts";
export type { ShellOptions } from "./options.ts";
export { bash, type BashOutput } from "./tools/bash.ts";
export { executeCommand, type ExecuteCommandOutput } from "./tools/execute-command.ts";

export default defineToolPackage({ options: shellOptions, tools: [bash, executeCommand] });
