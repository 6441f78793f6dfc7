import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createConsumer, type Consumer } from "./ecosystem/consumer.ts";
import { startMortalRegistry, type MortalRegistry } from "./ecosystem/mortal-registry.ts";
import { snapshot } from "./ecosystem/snapshot.ts";
import { theWorld } from "./world.ts";

const world = theWorld();

/** What is to be added beside what is there. */
const ADDED = "@aiw/plugin-web";
const ADD = ["add", ADDED, "--yes"];

/** What no cache has when the registry dies. */
const LOST = "@aiw/plugin-shell";

describe("a failed aiw add", () => {
  let mortal: MortalRegistry;
  let consumer: Consumer;
  let before: ReadonlyMap<string, string>;

  beforeAll(async () => {
    mortal = await startMortalRegistry(world.registry);
    const npmrc = "prefer-offline=true\nfetch-retries=0\nfetch-timeout=20000\naudit=false\nfund=false\n";
    consumer = await createConsumer("npm", world, { registry: mortal.address, npmrc });
    await consumer.add("@aiw/cli", "@aiw/plugin-filesystem");
    expect(await consumer.aiw(["lock"])).toMatchObject({ code: 0 });
    before = await snapshot(consumer.dir);
    expect(before.size).toBeGreaterThan(100);
  });

  afterEach(() => {
    mortal.onRequest = () => "answer";
  });

  afterAll(async () => {
    await consumer?.[Symbol.asyncDispose]();
    await mortal?.[Symbol.asyncDispose]();
  });

  it("ECO-17 is interrupted while a package is looked at, and nothing has changed", async () => {
    const ended = await consumer.aiw(ADD, { interruptAt: "Looking at" });
    expect(ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("Interrupted: everything is as before."),
    });
    expect(await snapshot(consumer.dir)).toEqual(before);
  });

  it("ECO-17 is interrupted while the package manager installs, and all is put back", async () => {
    const interruption = new AbortController();
    const waiting = interruptOnce(join(consumer.dir, "node_modules", ADDED), interruption);
    const ended = await consumer.aiw(ADD, { interrupt: interruption.signal });
    interruption.abort();
    await waiting;
    expect(ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("Interrupted: everything is as before."),
    });
    expect(ended.stderr).toContain("Putting everything back …");
    expect(await snapshot(consumer.dir)).toEqual(before);
  });

  it("ECO-17 goes on well when nothing fails, and is taken back by removing", async () => {
    expect(await consumer.aiw(ADD)).toMatchObject({ code: 0, stdout: expect.stringContaining("Pinned in aiw.lock.") });
    expect(await snapshot(consumer.dir)).not.toEqual(before);
    expect(await consumer.aiw(["remove", ADDED, "--yes"])).toMatchObject({ code: 0 });
    const after = await snapshot(consumer.dir);
    for (const file of ["package.json", "package-lock.json", "aiw.lock"])
      expect(after.get(file)).toBe(before.get(file));
  });

  // The last one: nothing answers there any more.
  it("ECO-17 says that the registry died in the midst, and nothing has changed", async () => {
    const present = await snapshot(consumer.dir);
    const asked = mortal.asked.length;
    mortal.onRequest = (path) => (path.includes("plugin-shell") && path.endsWith(".tgz") ? "die" : "answer");
    const ended = await consumer.aiw(["add", LOST, "--yes"]);
    expect(mortal.asked.slice(asked).join(" ")).toMatch(/plugin-shell .*plugin-shell.*\.tgz/);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toMatch(/npm cannot install it; nothing was changed\./);
    expect(await snapshot(consumer.dir)).toEqual(present);
    expect(await consumer.aiw(["list", "--frozen"])).toMatchObject({ code: 0 });
  });
});

/** Interrupts as soon as something is there; gives up when it was interrupted otherwise. */
async function interruptOnce(path: string, interruption: AbortController): Promise<void> {
  while (!existsSync(path) && !interruption.signal.aborted) await delay(2);
  interruption.abort();
}
