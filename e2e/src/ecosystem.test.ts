import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthor, publish, type Author, type AuthoredPackage } from "./ecosystem/author.ts";
import { createConsumer, type Consumer } from "./ecosystem/consumer.ts";
import { openInstalled, type InstalledPackage } from "./ecosystem/installed-package.ts";
import { snapshot } from "./ecosystem/snapshot.ts";
import { marking, TAMPERINGS } from "./ecosystem/tamperings.ts";
import { makeItsOwn, MISTAKES, WORDS, writeNextVersion } from "./ecosystem/words.ts";
import { layoutOf } from "./layouts.ts";
import { readListing } from "./listing.ts";
import { theWorld } from "./world.ts";

const world = theWorld();

/** One layout of each manager. */
const LAYOUTS = ["npm", "pnpm", "Yarn PnP", "bun isolated"] as const;
const available = LAYOUTS.filter((name) => world.managers[layoutOf(name).manager] !== undefined);

/** Counts one word of three letters or more. */
const CALL = ["call", "count_words", "--input", '{"text":"to be or not to be","shortest":3}'];

/** Opens a host whose lock must hold, changes a file if one is named, and calls. */
const HOST = `
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { openTools } from "@aiw/executor/node";

const [, , file] = process.argv;
const opened = await openTools({ frozen: true }).catch((error) => error);
if (opened instanceof Error) console.log(JSON.stringify({ name: opened.name, code: opened.code, message: opened.message, fix: opened.fix }));
else {
  await using tools = opened;
  if (file !== undefined) {
    const text = readFileSync(file, "utf8");
    rmSync(file);
    writeFileSync(file, text.replace("words += 1", "words += 2"));
  }
  const { success, code, error, value } = await tools.executeTool("count_words", { text: "a b" });
  console.log(JSON.stringify({ success, code, error, words: value?.words }));
}
`;

let author: Author;
let words: AuthoredPackage;
let folder: string;
const consumers = new Map<string, Consumer>();

beforeAll(async () => {
  author = await createAuthor(world);
  words = author.open("my-tool");
  folder = await mkdtemp(join(tmpdir(), "aiw-markers-"));
});

afterAll(async () => {
  for (const consumer of consumers.values()) await consumer[Symbol.asyncDispose]();
  await author?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function consumerOf(name: string): Consumer {
  const consumer = consumers.get(name);
  if (consumer === undefined) throw new Error(`The project under ${name} was not made.`);
  return consumer;
}

/** What `aiw list` finds wrong with packages; the tool must not be among those it lists. */
async function findWrong(consumer: Consumer): Promise<string[]> {
  const { findings, tools } = readListing(await consumer.aiw(["list", "--json"]));
  expect(tools.map(({ name }) => name)).not.toContain("count_words");
  return findings.filter(({ tool }) => tool === undefined).map((one) => `${one.package}: ${one.code}`);
}

describe("an author", () => {
  it("ECO-1 comes in three commands from an empty folder to a checked package", async () => {
    const create = [
      "create",
      "@aiw/tool@latest",
      "my-tool",
      "--",
      "--yes",
      "--name",
      WORDS,
      "--repository",
      "fx/words",
    ];
    const created = await author.npm(create);
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/Made @fx\/words in .*\/my-tool/) });
    expect(created.stdout).toMatch(/Next:\n {2}cd my-tool\n {2}npm install\n {2}npm run check/);
    expect(await words.npm("install")).toMatchObject({ code: 0 });
    const checked = await words.npm("run", "check");
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/pass (\d+) of \1 checks pass\. Ready to publish\./),
    });
    expect(checked.stdout).toMatch(/ℹ fail 0\n/);
  });

  it("ECO-2 changes what the tool says and takes, and tests and checks pass again", async () => {
    await makeItsOwn(words);
    const checked = await words.npm("run", "check");
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("Ready to publish.") });
    expect(checked.stdout).toContain("✔ leaves short words out");
    const manifest = JSON.parse(await words.read("aiw-tools.json")) as { tools: { spec: object }[] };
    expect(manifest.tools.map(({ spec }) => spec)).toMatchObject([
      {
        name: "count_words",
        description: expect.stringContaining("short words left out if asked"),
        inputSchema: {
          properties: { shortest: { type: "integer", minimum: 1, default: 1, description: expect.any(String) } },
          required: ["text"],
        },
      },
    ]);
  });

  it.each(MISTAKES)("ECO-3 is told where it is and what to do: $what", async ({ file, edit, by, said }) => {
    const before = await words.read(file);
    await words.edit(file, edit);
    const { code, stdout, stderr } = await (by === "aiw check" ? words.aiw("check") : words.npm("run", "build"));
    await words.write(file, before);
    // A failed build removes the manifest.
    if (by === "npm run build") expect(await words.npm("run", "build")).toMatchObject({ code: 0 });
    expect(code).toBe(1);
    for (const text of said) expect(stdout + stderr).toMatch(text instanceof RegExp ? text : literally(text));
  });

  it("ECO-4 publishes as npm does, built anew", async () => {
    await words.npm("version", "1.0.0", "--no-git-tag-version");
    const { stdout, stderr } = await publish(words, author);
    expect(stdout).toContain(`Wrote aiw-tools.json: 1 tool of ${WORDS} 1.0.0 (count_words).`);
    expect(stdout).toContain(`+ ${WORDS}@1.0.0`);
    expect(stderr).toContain("aiw-tools.json");
  });
});

describe.each(LAYOUTS)("a project under %s", (name) => {
  describe.skipIf(!available.includes(name))("with the package", () => {
    let consumer: Consumer;
    let installed: InstalledPackage;
    let marker: string;

    beforeAll(async () => {
      marker = join(folder, name);
      consumer = await createConsumer(name, world);
      consumers.set(name, consumer);
      await consumer.add("@aiw/cli", "@aiw/core", "@aiw/executor", "@aiw/plugin-filesystem");
    });

    it("ECO-5 shows what a package declares, and adds it only after a yes", async () => {
      const before = await consumer.read("package.json");
      const shown = await consumer.aiw(["add", WORDS]);
      expect(shown).toMatchObject({ code: 3, stderr: expect.stringContaining("give the same command with --yes") });
      expect(shown.stdout).toMatch(
        /count_words: effects reads \(readOnly, idempotent\); permissions none\n.*short words left out/,
      );
      expect(shown.stdout).toContain("scripts   none wanted to run at installation");
      expect(await consumer.read("package.json")).toBe(before);
      const added = await consumer.aiw(["add", WORDS, "--yes"]);
      expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(`Added ${WORDS} 1.0.0.`) });
      expect(await consumer.read("package.json")).toContain(`"${WORDS}"`);
      installed = await openInstalled(consumer, WORDS);
    });

    it("ECO-6 lists, calls and pins it, and the lock holds", async () => {
      const listed = await consumer.aiw(["list"]);
      expect(listed).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^count_words +@fx\/words@1\.0\.0 +reads/mu),
      });
      const called = await consumer.aiw(CALL);
      expect({ code: called.code, value: JSON.parse(called.stdout) as unknown }).toMatchObject({
        code: 0,
        value: { words: 1 },
      });
      const locked = await consumer.aiw(["lock"]);
      expect(locked).toMatchObject({ code: 0, stdout: expect.stringContaining(`+ ${WORDS} 1.0.0: count_words`) });
      expect(await consumer.aiw(["lock", "--check"])).toMatchObject({
        code: 0,
        stdout: "In step: 16 tools of 2 packages.\n",
      });
      expect(await consumer.aiw(["list", "--frozen"])).toMatchObject({ code: 0 });
      expect(await consumer.aiw([...CALL, "--frozen"])).toMatchObject({ code: 0 });
    });

    it("ECO-17 says that there is no such package, and nothing has changed", async () => {
      const before = await snapshot(consumer.dir);
      const ended = await consumer.aiw(["add", "@fx/nothing-here", "--yes"]);
      expect(ended).toMatchObject({
        code: 4,
        stdout: "",
        stderr: expect.stringContaining(`${consumer.layout.manager} cannot install it; nothing was changed.`),
      });
      expect(ended.stderr).toContain("nothing-here");
      expect(await snapshot(consumer.dir)).toEqual(before);
    });

    it.each(TAMPERINGS)("ECO-7 refuses, and shows, $what", async ({ apply, shown }) => {
      await apply(installed, marker);
      try {
        expect(await findWrong(consumer)).toEqual([`${WORDS}: lock_drift`]);
        const called = await consumer.aiw(CALL);
        expect(called).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(WORDS) });
        const frozen = await consumer.aiw(["list", "--frozen"]);
        expect(frozen).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(WORDS) });
        const unread = await consumer.aiw(["lock"]);
        expect(unread.code).toBeGreaterThan(2);
        for (const text of shown) expect(unread.stdout + unread.stderr).toContain(text);
        for (const { stdout, stderr } of [called, frozen, unread]) expect(stdout + stderr).not.toContain("\u200b");
        expect(existsSync(marker)).toBe(false);
      } finally {
        await installed.restore();
      }
      expect(await consumer.aiw([...CALL, "--frozen"])).toMatchObject({ code: 0 });
    });

    it("ECO-8 would have run what the lock refused", async () => {
      const lock = (await consumer.read("aiw.lock")) ?? "";
      await marking(installed, marker);
      await rm(join(consumer.dir, "aiw.lock"));
      const called = await consumer.aiw(CALL);
      await installed.restore();
      await consumer.write("aiw.lock", lock);
      expect({ code: called.code, ran: existsSync(marker) }).toEqual({ code: 0, ran: true });
    });

    it("ECO-9 holds for a host in code, before anything is loaded and between finding and calling", async () => {
      await consumer.write("host.js", HOST);
      const host = async (...args: string[]): Promise<unknown> =>
        JSON.parse((await consumer.node(["host.js", ...args])).stdout) as unknown;
      expect(await host()).toMatchObject({ success: true, words: 2 });
      if (!consumer.layout.isZipped) {
        const file = join(consumer.dir, "node_modules", WORDS, "dist/count-words.js");
        await installed.change("dist/count-words.js", (text) => text);
        const changed = await host(file);
        expect(changed).toMatchObject({
          success: false,
          code: "load_failed",
          error: expect.stringContaining("is not what aiw.lock pins"),
        });
      } else await installed.change("dist/count-words.js", (text) => text.replace("words += 1", "words += 2"));
      const drifted = await host();
      await installed.restore();
      expect(drifted).toMatchObject({
        name: "AiwError",
        code: "lock_drift",
        message: expect.stringContaining("file dist/count-words.js changed"),
        fix: expect.stringContaining("aiw lock"),
      });
    });
  });
});

describe("the next version", () => {
  beforeAll(async () => {
    await writeNextVersion(words);
    expect(await words.npm("run", "check")).toMatchObject({ code: 0 });
    await publish(words, author);
  });

  it("ECO-10 is pinned byte for byte the same under every manager, before and after", async () => {
    const locks = await Promise.all(available.map((name) => consumerOf(name).read("aiw.lock")));
    expect(locks[0]).toContain(WORDS);
    expect(new Set(locks).size).toBe(1);
  });

  it.each(available.filter((name) => name === "npm" || name === "Yarn PnP"))(
    "ECO-11 is refused by the lock until somebody has looked, whoever installed it: %s",
    async (name) => {
      const consumer = consumerOf(name);
      await consumer.add(`${WORDS}@1.1.0`);
      expect(await findWrong(consumer)).toEqual([`${WORDS}: lock_drift`]);
      expect(await consumer.aiw(CALL)).toMatchObject({ code: 4, stdout: "" });
      const shown = await consumer.aiw(["lock"]);
      expect(shown).toMatchObject({ code: 3, stderr: expect.stringContaining("Nothing was written") });
      expect(shown.stdout).toContain('version "1.0.0" → "1.1.0"');
      expect(shown.stdout).toContain("⟦in any language ⟧");
      expect(shown.stdout).toMatch(/\+ @fx\/words\/shout\n +says ⟦Writes a text in capitals\.⟧/);
      if (name === "npm" && process.platform === "linux") {
        // That terminal has no size, so lines stay whole.
        const declined = await consumer.atTerminal(["lock"], "n");
        expect(declined).toMatchObject({ code: 3, stdout: expect.stringContaining('version "1.0.0" → "1.1.0"') });
        const answered = await consumer.atTerminal(["lock"], "y");
        expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining("Pinned 17 tools of 2 packages") });
      } else expect(await consumer.aiw(["lock", "--yes"])).toMatchObject({ code: 0 });
      expect(await consumer.aiw(["call", "shout", "--frozen", "--input", '{"text":"hi"}'])).toMatchObject({
        code: 0,
        stdout: "HI\n",
      });
    },
  );

  it.each(available.filter((name) => name === "pnpm" || name === "bun isolated"))(
    "ECO-12 is shown against what is installed by aiw add, which pins it after a yes: %s",
    async (name) => {
      const consumer = consumerOf(name);
      const shown = await consumer.aiw(["add", `${WORDS}@latest`]);
      expect(shown).toMatchObject({ code: 3, stdout: expect.stringContaining(`${WORDS} 1.1.0 (installed: 1.0.0)`) });
      expect(shown.stdout).toContain("⟦in any language ⟧");
      expect(shown.stdout).toContain(`+ ${WORDS}/shout`);
      expect(await consumer.aiw([...CALL, "--frozen"])).toMatchObject({ code: 0 });
      const added = await consumer.aiw(["add", `${WORDS}@latest`, "--yes"]);
      expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("Pinned in aiw.lock.") });
      expect(await consumer.aiw(["call", "shout", "--frozen", "--input", '{"text":"hi"}'])).toMatchObject({
        code: 0,
        stdout: "HI\n",
      });
    },
  );

  it("ECO-10 is pinned byte for byte the same, however it was accepted", async () => {
    const locks = await Promise.all(available.map((name) => consumerOf(name).read("aiw.lock")));
    expect(locks[0]).toContain('"version": "1.1.0"');
    expect(new Set(locks).size).toBe(1);
  });

  it.each(available)("ECO-13 is removed from package.json, the manager's lock and ours: %s", async (name) => {
    const consumer = consumerOf(name);
    const removed = await consumer.aiw(["remove", WORDS, "--yes"]);
    expect(removed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Removed ${WORDS}. aiw.lock pins it no more.`),
    });
    for (const file of ["package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "aiw.lock"])
      expect((await consumer.read(file)) ?? "").not.toContain(WORDS);
    expect(await consumer.aiw(["lock", "--check"])).toMatchObject({
      code: 0,
      stdout: "In step: 15 tools of 1 package.\n",
    });
    expect((await consumer.aiw(["list", "--frozen"])).stdout).not.toContain("count_words");
  });
});

function literally(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
}
