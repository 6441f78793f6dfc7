import { appendFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JournalLog } from "./journal-log.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aiw-journal-log-"));
  path = join(folder, "log");
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

/** A process that knows a log, and all the lines it took in. */
function openLog(onTake: () => void = () => {}): { readonly log: JournalLog; readonly lines: string[] } {
  const lines: string[] = [];
  const log = new JournalLog(path, {
    restart: () => lines.splice(0),
    take: (taken) => {
      lines.push(...taken);
      onTake();
    },
  });
  return { log, lines };
}

/** No two logs begin alike in their first 24 characters. */
const line = (text: string): string => `${text.padEnd(30, ".")}\n`;
const read = async (): Promise<string> => (await readFile(path, "utf8")).replaceAll(/\.+\n/gu, " ").trim();
const nothing = async (): Promise<void> => {};

describe("a log that several processes use", () => {
  it("is read anew by the one that did not write it anew, whether it grew or shrank", async () => {
    const [one, two] = [openLog(), openLog()];
    for (const text of ["a", "b", "c"]) await one.log.append(() => line(text), nothing);
    await two.log.refresh();
    await one.log.rewrite(() => line("kept"));
    await two.log.refresh();
    expect(two.lines).toEqual([line("kept").trimEnd()]);
    await two.log.rewrite(() => line("again") + line("b") + line("c") + line("d"));
    await one.log.append(() => line("e"), nothing);
    expect(await read()).toBe("again b c d e");
    expect(one.lines).toEqual(["again", "b", "c", "d", "e"].map((text) => line(text).trimEnd()));
    expect(await readdir(folder)).toEqual(["log"]);
  });

  it("loses no line that is added while another process, the lock passed over, writes it anew", async () => {
    const [one, two] = [openLog(), openLog()];
    await one.log.append(() => line("a"), nothing);
    let made = 0;
    let isFirst = true;
    await one.log.append(
      () => line(`b${(made += 1)}`),
      async () => {
        if (isFirst) await rm(path).then(async () => await writeFile(path, line("young")));
        isFirst = false;
      },
    );
    expect(await read()).toBe("young b2");
    await two.log.refresh();
    expect(two.lines).toEqual(one.lines);
  });

  it("stays as it is where somebody adds to it while it is written anew", async () => {
    const { log } = openLog();
    await log.append(() => line("a"), nothing);
    await log.rewrite(() => {
      appendFileSync(path, line("b"));
      return line("kept");
    });
    expect(await read()).toBe("a b");
    expect(await readdir(folder)).toEqual(["log"]);
  });

  it.skipIf(process.platform === "win32")("follows no link", async () => {
    const victim = join(folder, "victim");
    await writeFile(victim, "precious\n");
    await symlink(victim, path);
    const { log, lines } = openLog();
    await expect(log.refresh()).rejects.toThrow(/ELOOP/u);
    await expect(log.append(() => line("a"), nothing)).rejects.toThrow(/ELOOP/u);
    await expect(log.rewrite(() => line("a"))).rejects.toThrow(/ELOOP/u);
    expect([lines, await readFile(victim, "utf8")]).toEqual([[], "precious\n"]);
  });
});
