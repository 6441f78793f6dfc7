import { describe, expect, it } from "vitest";
import { HELP, FLAGS } from "./flags.ts";
import { readArguments } from "./read-arguments.ts";

function read(...words: string[]) {
  return readArguments(words, "npm");
}

describe("readArguments", () => {
  it("reads a folder and nothing else", () => {
    expect(read("my-tool")).toEqual({ wants: "package", given: { directory: "my-tool", yes: false, force: false } });
    expect(read()).toEqual({ wants: "package", given: { yes: false, force: false } });
  });

  it("reads every flag", () => {
    const words =
      "dir -t service -l js --name @acme/x --tool find_it --license ISC --test vitest --package-manager bun --repository a/b --install --no-git -y -f";
    expect(read(...words.split(" "), "--description", "Finds it.")).toEqual({
      wants: "package",
      given: {
        directory: "dir",
        template: "service",
        language: "js",
        name: "@acme/x",
        tool: "find_it",
        description: "Finds it.",
        license: "ISC",
        test: "vitest",
        packageManager: "bun",
        repository: { owner: "a", name: "b" },
        install: true,
        git: false,
        yes: true,
        force: true,
      },
    });
  });

  it.each([
    ["typescript", "ts"],
    ["JavaScript", "js"],
  ])("takes --language %s for %s", (written, language) => {
    expect(read("--language", written)).toMatchObject({ given: { language } });
  });

  it("gives help and version whatever else is asked", () => {
    expect(read("a", "--help")).toEqual({ wants: "help" });
    expect(read("a", "-v")).toEqual({ wants: "version" });
  });

  it.each([
    [["--templat", "class"], "There is no flag --templat. Did you mean --template?"],
    [["--zzz"], "There is no flag --zzz."],
    [["-x"], "There is no flag -x."],
    [["--template"], "--template needs a value"],
    [["--yes=1"], "--yes takes no value."],
    [["--template", "servce"], 'not "servce". Did you mean service?'],
    [["--template", "__proto__"], "--template is function, class, service"],
    [["--language", "constructor"], "--language is ts, js"],
    [["--license", "GPL"], "MIT, Apache-2.0, ISC"],
    [["--package-manager", "cargo"], "npm, pnpm, yarn, bun"],
    [["--name", "My Tool"], "--name: "],
    [["--tool", "getWeather"], "get_weather"],
    [["--description", "\u200b"], "--description: "],
    [["--repository", "nowhere"], "OWNER/NAME"],
    [["--install", "--no-install"], "Both --install and --no-install"],
    [["a", "b"], "npm create @aiw/tool DIR -- --template class"],
    [[""], "The folder needs a name."],
    [["a\0b"], "invisible characters"],
  ])("refuses %j", (words, message) => {
    expect(() => read(...words)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
    );
  });

  it("speaks of -- to users of npm alone", () => {
    expect(() => readArguments(["a", "b"], "pnpm")).toThrow("One folder is made, not 2.");
  });
});

describe("HELP", () => {
  it("names every flag", () => {
    for (const flag of Object.keys(FLAGS)) expect(HELP).toContain(`--${flag}`);
  });

  it("says what each of them does in one column", () => {
    const rows = HELP.split("\n").filter((line) => /^ {2}(?:-\w,| {3}) --/.test(line));
    const columns = rows.map((line) => (/^ {2}.{4}\S.*? {2,}/.exec(line)?.[0] ?? "").length);
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(columns).size).toBe(1);
  });
});
