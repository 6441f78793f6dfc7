import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { hostname, tmpdir } from "node:os";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTrustStore } from "./create-trust-store.ts";
import { hashContent } from "./hash-content.ts";
import { nodeTrustPorts, type TrustPorts } from "./trust-ports.ts";
import { ANY_CONTENT, type TrustStore } from "./trust-store.ts";

const HASH = hashContent({ a: 1 });
const OTHER = hashContent({ a: 2 });
const BY_ME = { subject: "configuration", hash: HASH, parts: ["/limits/depth: 11"] } as const;

interface Home {
  readonly dir: string;
  readonly project: string;
  readonly file: string;
  readonly store: TrustStore;
}

function home(world: Partial<TrustPorts> = {}): Home {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "aiw-trust-")));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const project = path.join(dir, "project");
  fs.mkdirSync(project);
  const environment = { AIW_CONFIG_HOME: path.join(dir, "config") };
  return {
    dir,
    project,
    file: path.join(dir, "config", "trust.json"),
    store: createTrustStore({ environment, ...world }),
  };
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, text, { mode: 0o600 });
}

describe("createTrustStore", () => {
  it("trusts nothing without a record, and makes no file by asking", () => {
    const { project, file, store } = home();
    expect(store.isTrusted(project, HASH)).toBe(false);
    expect(store.list()).toEqual([]);
    expect(store.problem(project)).toBeUndefined();
    expect(fs.existsSync(path.dirname(file))).toBe(false);
  });

  it("trusts the very content that was recorded, of the very folder", async () => {
    const { dir, project, store } = home({ now: () => new Date(0) });
    const record = await store.add({ ...BY_ME, dir: project });
    expect(record).toEqual({ ...BY_ME, dir: project, at: "1970-01-01T00:00:00.000Z" });
    expect(store.isTrusted(project, HASH)).toBe(true);
    expect(store.isTrusted(project, OTHER)).toBe(false);
    expect(store.isTrusted(dir, HASH)).toBe(false);
    expect(store.isTrusted(path.join(project, "inner"), HASH)).toBe(false);
    expect(store.list()).toEqual([record]);
  });

  it("follows links to the folder, and does not ask what the folder says when all of it is trusted", async () => {
    const { dir, project, store } = home();
    fs.symlinkSync(project, path.join(dir, "link"));
    await store.add({ subject: "any", dir: path.join(dir, "link"), hash: ANY_CONTENT, parts: [] });
    expect(store.isTrusted(project, HASH)).toBe(true);
    expect(store.isTrusted(path.join(dir, "link"), OTHER)).toBe(true);
    expect(store.isTrusted(path.join(project, "vendored"), HASH)).toBe(false);
  });

  it("takes back one content or all of a folder", async () => {
    const { project, store } = home();
    await store.add({ ...BY_ME, dir: project });
    await store.add({ ...BY_ME, dir: project, hash: OTHER });
    expect(await store.remove(project, HASH)).toHaveLength(1);
    expect([store.isTrusted(project, HASH), store.isTrusted(project, OTHER)]).toEqual([false, true]);
    expect(await store.remove(project)).toHaveLength(1);
    expect(await store.remove(project)).toEqual([]);
    expect(store.isTrusted(project, OTHER)).toBe(false);
  });

  it("keeps one record however often the same is trusted, and leaves nothing else behind", async () => {
    const { project, file, store } = home();
    await store.add({ ...BY_ME, dir: project });
    await store.add({ ...BY_ME, dir: project });
    expect(store.list()).toHaveLength(1);
    expect(fs.readdirSync(path.dirname(file))).toEqual(["trust.json"]);
  });

  it.runIf(process.platform !== "win32")("keeps file and folder to their user", async () => {
    const { project, file, store } = home();
    await store.add({ ...BY_ME, dir: project });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  it.each<[string, string]>([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["another version", '{"trustVersion":2,"records":[]}'],
    ["no records", '{"trustVersion":1}'],
    ["a record without a hash", '{"trustVersion":1,"records":[{"subject":"any","dir":"/","parts":[],"at":""}]}'],
    [
      "a folder-wide record of one subject",
      '{"trustVersion":1,"records":[{"subject":"configuration","hash":"*","dir":"/","parts":[],"at":""}]}',
    ],
  ])("believes nothing of a file that has %s, says so, and does not overwrite it", async (_what, text) => {
    const { project, file, store } = home();
    write(file, text);
    expect(store.isTrusted(project, HASH)).toBe(false);
    expect(store.list()).toEqual([]);
    expect(store.problem(project)).toMatchObject({ reason: expect.stringContaining(file) as string });
    await expect(store.add({ ...BY_ME, dir: project })).rejects.toMatchObject({ code: "trust_store_invalid" });
    await expect(store.remove(project)).rejects.toMatchObject({ code: "trust_store_invalid" });
    expect(fs.readFileSync(file, "utf8")).toBe(text);
  });

  it("believes nothing of a folder that stands in the file's place", () => {
    const { project, file, store } = home();
    fs.mkdirSync(file, { recursive: true, mode: 0o700 });
    expect(store.isTrusted(project, HASH)).toBe(false);
    expect(store.problem(project)?.reason).toContain("no regular file");
  });

  it.runIf(process.platform !== "win32")(
    "believes no file that others can write, nor one in such a folder",
    async () => {
      const { project, file, store } = home();
      await store.add({ ...BY_ME, dir: project });
      for (const [place, mode] of [
        [file, 0o620],
        [file, 0o602],
        [path.dirname(file), 0o770],
      ] as const) {
        const before = fs.statSync(place).mode;
        fs.chmodSync(place, mode);
        expect(store.isTrusted(project, HASH)).toBe(false);
        expect(store.problem(project)?.fix).toContain("chmod go-w");
        fs.chmodSync(place, before);
      }
      expect(store.isTrusted(project, HASH)).toBe(true);
    },
  );

  it.runIf(process.platform !== "win32")("believes no file of another user", async () => {
    const { project, store, dir } = home();
    await store.add({ ...BY_ME, dir: project });
    const environment = { AIW_CONFIG_HOME: path.join(dir, "config") };
    const stranger = createTrustStore({ environment, userId: (process.geteuid?.() ?? 0) + 1 });
    expect(stranger.isTrusted(project, HASH)).toBe(false);
    expect(stranger.problem(project)?.reason).toContain("belongs to user");
    await expect(stranger.add({ ...BY_ME, dir: project })).rejects.toMatchObject({ code: "trust_store_invalid" });
  });

  it("lets nothing inside a project say what is trusted there, links included", async () => {
    const { dir, project } = home();
    const inside = path.join(project, "config");
    write(
      path.join(inside, "trust.json"),
      JSON.stringify({
        trustVersion: 1,
        records: [{ subject: "any", dir: project, hash: "*", parts: [], at: "" }],
      }),
    );
    fs.symlinkSync(inside, path.join(dir, "config"));
    for (const folder of [inside, path.join(dir, "config")]) {
      const store = createTrustStore({ environment: { AIW_CONFIG_HOME: folder } });
      expect(store.isTrusted(project, HASH)).toBe(false);
      expect(store.problem(project)?.reason).toContain("lies inside");
      await expect(store.add({ ...BY_ME, dir: project })).rejects.toMatchObject({ code: "trust_store_invalid" });
    }
  });

  it("takes no relative folder for the user's own", async () => {
    const { project, store } = home({ environment: { AIW_CONFIG_HOME: "config" } });
    expect(store.problem(project)?.reason).toContain("no absolute path");
    await expect(store.add({ ...BY_ME, dir: project })).rejects.toMatchObject({ code: "trust_store_invalid" });
  });

  it("refuses what is no record", async () => {
    const { project, store } = home();
    await expect(store.add({ ...BY_ME, dir: project, hash: "md5-x" })).rejects.toMatchObject({
      code: "trust_store_invalid",
    });
    await expect(store.add({ ...BY_ME, dir: project, hash: ANY_CONTENT })).rejects.toMatchObject({
      code: "trust_store_invalid",
    });
  });

  it("says what keeps a record from being written, and leaves the file as it was", async () => {
    const { project, file, store, dir } = home();
    await store.add({ ...BY_ME, dir: project });
    const before = fs.readFileSync(file, "utf8");
    const environment = { AIW_CONFIG_HOME: path.join(dir, "config") };
    const failing = createTrustStore({
      environment,
      fs: {
        ...nodeTrustPorts.fs,
        renameSync: () => {
          throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        },
      },
    });
    await expect(failing.add({ ...BY_ME, dir: project, hash: OTHER })).rejects.toMatchObject({
      code: "trust_store_invalid",
    });
    expect(fs.readFileSync(file, "utf8")).toBe(before);
    expect(fs.readdirSync(path.dirname(file))).toEqual(["trust.json"]);
  });

  it("waits for another writer, and names the lock of one that never ends", async () => {
    let waited = 0;
    const { project, file, store } = home({
      wait: () => {
        waited += 1;
        return Promise.resolve();
      },
    });
    write(`${file}.lock`, "1\n");
    await expect(store.add({ ...BY_ME, dir: project })).rejects.toMatchObject({
      code: "trust_store_invalid",
      fix: expect.stringContaining("trust.json.lock") as string,
    });
    expect(waited).toBeGreaterThan(10);
    fs.rmSync(`${file}.lock`);
    await store.add({ ...BY_ME, dir: project });
    expect(store.isTrusted(project, HASH)).toBe(true);
  });

  it("takes the place of a writer that was killed, and leaves nothing of it behind", async () => {
    const { project, file, store } = home({ wait: () => Promise.resolve() });
    const { pid } = spawnSync(process.execPath, ["--version"]);
    write(`${file}.lock`, `${pid} ${hostname()}\n`);
    await store.add({ ...BY_ME, dir: project });
    expect(store.isTrusted(project, HASH)).toBe(true);
    expect(fs.readdirSync(path.dirname(file))).toEqual(["trust.json"]);
  });

  it.each<[string, string, readonly string[]]>([
    ["of a process that runs", `${process.pid} ${hostname()}\n`, []],
    ["of another machine", "4194304 elsewhere.test\n", []],
    ["that is half written", "41943", []],
    ["of nobody", "", []],
    ["of a group of processes", `-1 ${hostname()}\n`, []],
    ["that somebody else is about to judge", `4194304 ${hostname()}\n`, ["trust.json.lock.breaking"]],
  ])("leaves a lock %s, and names all that keeps it", async (_what, owner, others) => {
    const { project, file, store } = home({
      wait: () => Promise.resolve(),
      isRunning: (id) => id === process.pid,
    });
    write(`${file}.lock`, owner);
    for (const other of others) write(path.join(path.dirname(file), other), "");
    await expect(store.add({ ...BY_ME, dir: project })).rejects.toMatchObject({
      code: "trust_store_invalid",
      fix: `When no other aiw is running, remove ${file}.lock and ${file}.lock.breaking.`,
    });
    expect(fs.readdirSync(path.dirname(file))).toEqual(["trust.json.lock", ...others]);
    expect(fs.readFileSync(`${file}.lock`, "utf8")).toBe(owner);
  });

  it.runIf(process.platform !== "win32")(
    "believes no file that a link leads to, when others can exchange the link",
    async () => {
      const { dir, project, store } = home();
      await store.add({ ...BY_ME, dir: project });
      const shared = path.join(dir, "shared");
      fs.mkdirSync(shared);
      fs.symlinkSync(path.join(dir, "config", "trust.json"), path.join(shared, "trust.json"));
      const linked = createTrustStore({ environment: { AIW_CONFIG_HOME: shared } });
      expect(linked.isTrusted(project, HASH)).toBe(true);
      fs.chmodSync(shared, 0o777);
      expect(linked.isTrusted(project, HASH)).toBe(false);
      expect(linked.list()).toEqual([]);
      expect(linked.problem(project)?.reason).toBe(`${shared} can be written by other users.`);
      await expect(linked.add({ ...BY_ME, dir: project })).rejects.toMatchObject({ code: "trust_store_invalid" });
      await expect(linked.remove(project)).rejects.toMatchObject({ code: "trust_store_invalid" });
    },
  );

  it("loses no record when several processes and several calls of one record at the same time", async () => {
    const { dir, project, store } = home();
    const script = fileURLToPath(new URL("__fixtures__/add-records.ts", import.meta.url));
    const env = { ...process.env, AIW_CONFIG_HOME: path.join(dir, "config") };
    const others = ["a", "b"].map((name) =>
      once(spawn(process.execPath, [script, name, "15", project], { env, stdio: "inherit" }), "exit"),
    );
    const own = Array.from({ length: 15 }, (_, index) =>
      store.add({ ...BY_ME, dir: project, hash: hashContent({ index }) }),
    );
    await Promise.all(own);
    expect(await Promise.all(others)).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(store.list()).toHaveLength(45);
  }, 60_000);
});
