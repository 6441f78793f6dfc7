import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthor, type Author } from "./ecosystem/author.ts";
import { createConsumer } from "./ecosystem/consumer.ts";
import {
  PLAIN_CONSUMER,
  TSCONFIG,
  TYPESCRIPT,
  WATCHING_HOST,
  WEATHER,
  WRONG_WEATHER,
} from "./ecosystem/library-user.ts";
import { createProject, type Project } from "./project.ts";
import { run } from "./run.ts";
import { theWorld } from "./world.ts";

const world = theWorld();

/** The newest release of the oldest line that the packages admit. */
const OLDEST_NODE = "22.23.3";

const COMBINATIONS = ["function", "class", "service"].flatMap((template) =>
  ["ts", "js"].map((language) => ({ template, language, folder: `${template}-${language}` })),
);

describe("scaffolded packages", () => {
  let author: Author;

  beforeAll(async () => {
    author = await createAuthor(world);
    // Members of a workspace, so that one installation serves all of them.
    await writeFile(
      join(author.folder, "package.json"),
      JSON.stringify({ name: "fx-templates", private: true, workspaces: COMBINATIONS.map(({ folder }) => folder) }),
    );
    for (const { template, language, folder } of COMBINATIONS) {
      const flags = [
        "--template",
        template,
        "--language",
        language,
        "--name",
        `@fx/${folder}`,
        "--repository",
        "fx/all",
      ];
      const created = await author.npm(["create", "@aiw/tool@latest", folder, "--", "--yes", ...flags]);
      expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining(`Made @fx/${folder}`) });
    }
    expect(await author.npm(["install"])).toMatchObject({ code: 0 });
  });

  afterAll(() => author?.[Symbol.asyncDispose]());

  it.each(COMBINATIONS)(
    "ECO-14 pass their own tests and aiw check untouched: $template in $language",
    async ({ folder }) => {
      const { code, stdout, stderr } = await author.open(folder).npm("run", "check");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/ℹ pass [1-9]\d*\n(?:.*\n)*ℹ fail 0\n/);
      expect(stdout).toContain("Ready to publish.");
      expect(stdout).not.toMatch(/^ *fail /m);
    },
  );

  it("ECO-15 are served while they are edited: a host has the new code without a restart", async () => {
    await using host = await createConsumer("npm", world);
    await host.add("@aiw/cli", "@aiw/core", "@aiw/executor");
    await host.write("host.js", WATCHING_HOST);
    const words = author.open("function-ts");
    const doOnce = new Set([
      { at: ": 2 words", run: () => words.edit("src/count-words.ts", ["words += 1", "words += 2"]) },
      { at: ": 4 words", run: () => host.write("stop", "") },
    ]);
    const done: Promise<void>[] = [];
    const dev = join(author.folder, "node_modules/.bin/aiw");
    const ended = await run(dev, ["dev", words.dir, "--cwd", host.dir, "--", process.execPath, "host.js"], {
      cwd: words.dir,
      environment: author.environment,
      timeoutMs: 300_000,
      onStdout: (text) => {
        for (const step of doOnce) {
          if (!text.includes(step.at)) continue;
          doOnce.delete(step);
          done.push(step.run());
        }
      },
    });
    await Promise.all(done);
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/process (\d+): 2 words\n(?:.*\n)*process \1: 4 words\n/),
    });
    expect(existsSync(join(words.dir, "node_modules/.aiw-dev"))).toBe(false);
  });
});

describe("a project that only has the library", () => {
  let project: Project;

  beforeAll(async () => {
    project = await createProject(world, "npm");
    const compilers = Object.entries(TYPESCRIPT).map(([name, version]) => `${name}@${version}`);
    const ours = ["@aiw/core", "@aiw/executor", "@aiw/testkit"];
    await project.install(...ours, "@types/node@22", `node@${OLDEST_NODE}`, ...compilers);
    await project.write("src/weather.ts", WEATHER);
    await project.write("tsconfig.json", TSCONFIG);
    for (const [file, text] of Object.entries(PLAIN_CONSUMER)) await project.write(file, text);
  });

  afterAll(() => project?.[Symbol.asyncDispose]());

  it.each(Object.keys(TYPESCRIPT))(
    "ECO-16 compiles a class with @tool by %s, every type checked, and runs it on the oldest Node",
    async (compiler) => {
      const out = `out-${compiler}`;
      const tsc = join(project.dir, "node_modules", compiler, "bin/tsc");
      const compile = (...args: string[]): ReturnType<typeof run> =>
        run(process.execPath, [tsc, ...args], { cwd: project.dir });
      expect(await compile("--project", ".", "--outDir", out)).toMatchObject({ code: 0, stdout: "" });
      expect(await readFile(join(project.dir, out, "weather.js"), "utf8")).not.toContain("@tool(");
      const node = join(project.dir, "node_modules/node/bin/node");
      const ran = await run(node, [join(out, "weather.js")], { cwd: project.dir });
      expect({ ...ran, stdout: JSON.parse(ran.stdout) as unknown }).toMatchObject({
        code: 0,
        stderr: "",
        stdout: {
          node: `v${OLDEST_NODE}`,
          name: "get_forecast",
          good: { lines: ["Bonn: clear, says south"] },
          wrong: "invalid_input",
        },
      });
      await project.write("src/wrong.ts", WRONG_WEATHER);
      const wrong = { ...(JSON.parse(TSCONFIG) as object), files: ["src/wrong.ts"] };
      await project.write("tsconfig.wrong.json", JSON.stringify(wrong));
      const refused = await compile("--project", "tsconfig.wrong.json", "--noEmit");
      expect(refused.code).not.toBe(0);
      expect(refused.stdout).toMatch(/src\/wrong\.ts[(:]4\b/);
      expect(refused.stdout).toMatch(/src\/wrong\.ts[(:]9\b.*harmless/);
    },
  );

  it.each(Object.keys(TYPESCRIPT))(
    "ECO-16 checks all our types by %s under a plain tsconfig without a `lib`",
    async (compiler) => {
      const tsc = join(project.dir, "node_modules", compiler, "bin/tsc");
      for (const config of Object.keys(PLAIN_CONSUMER).filter((file) => file.endsWith(".json"))) {
        const outcome = await run(process.execPath, [tsc, "--project", config], { cwd: project.dir });
        expect({ config, ...outcome }).toMatchObject({ config, code: 0, stdout: "" });
      }
    },
  );
});
