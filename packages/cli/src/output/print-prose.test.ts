import { describe, expect, it } from "vitest";
import { authorPackage } from "../__fixtures__/author-package.ts";
import { fakeIo } from "../__fixtures__/fake-io.ts";
import { makeProject } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";
import { printAnswer, printTalk } from "./print-prose.ts";

const COLUMNS = 60;

/** Lines that a terminal of that width would break inside a word: those that have a space to break at, and are longer. */
function tooLong(text: string): string[] {
  return text.split("\n").filter((line) => line.length > COLUMNS && /\S \S/.test(line.slice(0, COLUMNS)));
}

describe("printAnswer", () => {
  it("breaks between words where somebody looks, and nowhere else", () => {
    const text = "one two three four five six seven";
    const wide = fakeIo("/");
    printAnswer(wide.io, text);
    printTalk(wide.io, text);
    expect([wide.stdout(), wide.stderr()]).toEqual([`${text}\n`, `${text}\n`]);
    const narrow = fakeIo("/", { columns: 22 });
    printAnswer(narrow.io, text);
    printTalk(narrow.io, text);
    const broken = "one two three four\nfive six seven\n";
    expect([narrow.stdout(), narrow.stderr()]).toEqual([broken, broken]);
  });

  it("is what commands that change a project print by", async () => {
    await using project = await makeProject();
    const commands = ["lock", "lock", "lock --check", "trust", "trust --list", "trust --revoke", "init", "init"];
    for (const command of commands) {
      const { out, err } = await runAiw(project.cwd, command.split(" "), { columns: COLUMNS });
      expect({ command, lines: tooLong(out + err) }).toEqual({ command, lines: [] });
    }
  });

  it("is what commands of an author print by", async () => {
    await using author = await authorPackage({ main: "dist/index.js", files: ["dist"] });
    for (const command of ["build", "build --write", "check --all"]) {
      const { out, err } = await runAiw(author.cwd, command.split(" "), { columns: COLUMNS });
      expect({ command, lines: tooLong(out + err) }).toEqual({ command, lines: [] });
    }
  });
});
