import { describe, expect, it } from "vitest";
import { fakeWorld, type FakeWorld } from "../__fixtures__/fake-world.ts";
import type { Given } from "./answers.ts";
import { askAnswers } from "./ask-answers.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const CTRL_C = "\u0003";

/** Answers questions in their order: presses the keys once the question stands there. */
function ask(world: FakeWorld, given: Partial<Given>, script: readonly (readonly [question: string, keys: string])[]) {
  const left = [...script];
  let seen = "";
  world.stdout.on("data", (chunk) => {
    seen += String(chunk);
    const [question, keys] = left[0] ?? [];
    if (question === undefined || keys === undefined || !seen.includes(question)) return;
    left.shift();
    seen = "";
    setImmediate(() => world.stdin.write(keys));
  });
  return askAnswers(
    { yes: false, force: false, ...given },
    {
      input: world.stdin,
      output: world.stdout,
      signal: world.signal,
      cwd: world.cwd,
      manager: "pnpm",
      judgeFolder: (directory) => (directory === "full" ? "full is not empty" : undefined),
    },
  );
}

describe("askAnswers", () => {
  it("takes the defaults of who presses Enter", async () => {
    await using world = await fakeWorld();
    const said = await ask(world, {}, [
      ["Where shall", ENTER],
      ["made of", ENTER],
      ["which language", ENTER],
      ["tool called", ENTER],
      ["package called", ENTER],
      ["in a sentence", ENTER],
      ["git repository", ENTER],
      ["with pnpm", ENTER],
    ]);
    expect(said).toEqual({
      yes: false,
      force: false,
      directory: "my-tool",
      template: "function",
      language: "ts",
      tool: "count_words",
      name: "my-tool",
      description: "A tool for AI agents that counts the words of a text.",
      git: true,
      install: true,
    });
  });

  it("asks nothing that a flag said, and again for what is wrong", async () => {
    await using world = await fakeWorld();
    const given = { language: "js", name: "@acme/x", description: "Does it.", git: false, install: false } as const;
    const said = await ask(world, given, [
      ["Where shall", `full${ENTER}`],
      ["full is not empty", `2${ENTER}`],
      ["made of", `${DOWN}${DOWN}${ENTER}`],
      ["tool called", `Search${ENTER}`],
      ["snake_case", `\u007f\u007f\u007f\u007f\u007f\u007fsearch${ENTER}`],
    ]);
    expect(said).toMatchObject({ ...given, directory: "full2", template: "service", tool: "search" });
  });

  it("ends at Ctrl-C", async () => {
    await using world = await fakeWorld();
    const asked = ask(world, {}, [
      ["Where shall", ENTER],
      ["made of", CTRL_C],
    ]);
    await expect(asked).rejects.toMatchObject({ exitCode: 130 });
  });

  it("ends when the process is asked to", async () => {
    await using world = await fakeWorld();
    const asked = ask(world, { directory: "x" }, []);
    setImmediate(() => world.interrupt.abort());
    await expect(asked).rejects.toMatchObject({ exitCode: 130 });
  });
});
