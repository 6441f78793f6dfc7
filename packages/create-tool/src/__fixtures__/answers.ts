import type { Answers } from "../answers/answers.ts";

/** Answers of somebody who pressed Enter all the way. */
export function fakeAnswers(changes: Partial<Answers> = {}): Answers {
  return {
    directory: "my-tool",
    template: "function",
    language: "ts",
    name: "my-tool",
    description: "Does it.",
    tool: "do_it",
    license: "MIT",
    test: "node",
    packageManager: "npm",
    install: false,
    git: false,
    force: false,
    ...changes,
  };
}
