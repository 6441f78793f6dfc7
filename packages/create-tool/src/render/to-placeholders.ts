import { MANAGERS } from "../after/package-managers.ts";
import type { Answers } from "../answers/answers.ts";
import { toPlainText } from "../names/plain-text.ts";
import { toClassName, toFileName, toFunctionName } from "../names/tool-name.ts";
import type { Placeholders } from "./fill-placeholders.ts";
import { toMarkdown } from "./to-markdown.ts";

/** The value of each placeholder; all but the description are words of a grammar that is safe wherever they stand. */
export function toPlaceholders(answers: Answers, year: number): Placeholders {
  const { name, tool, language, license, test, packageManager, repository } = answers;
  const { install, add, run, exec, setUp, installExactly } = MANAGERS[packageManager];
  return {
    name,
    description: toMarkdown(toPlainText(answers.description)),
    toolName: tool,
    toolFunction: toFunctionName(tool),
    toolClass: toClassName(tool),
    toolFile: toFileName(tool),
    extension: language,
    // In names of files: what is called a test is left out of our own tarball.
    test: "test",
    license,
    year: String(year),
    testImport: `import { describe, it } from "${test === "vitest" ? "vitest" : "node:test"}";`,
    install,
    add,
    run,
    exec,
    workflowInstall: [setUp, installExactly]
      .flatMap((line) => (line === undefined ? [] : [`      - run: ${line}`]))
      .join("\n"),
    buildMeaning: `${language === "ts" ? "compiles, and " : ""}writes the static manifest, \`aiw-tools.json\``,
    devMeaning: "builds after each change, and says how to try the tools meanwhile",
    publishFirst: repository
      ? "The first release is published by hand:"
      : `Say where the source is, since provenance names it: \`npm pkg set repository=github:OWNER/NAME\`. The first release is published by hand:`,
  };
}
