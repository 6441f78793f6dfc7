import { execFile } from "node:child_process";
import * as disk from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, describe } from "vitest";

/** Runs as a user without special rights, which a test that runs as root is not. */
const SCRIPT = `
  import { writeFileSync, mkdirSync, chmodSync, chownSync, readFileSync } from "node:fs";
  const { openWorkspace } = await import(process.argv[1]);
  const root = process.argv[2];
  const raceProtection = process.argv[3] || undefined;
  process.umask(0o022);
  if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }
  mkdirSync(root + "/locked");
  mkdirSync(root + "/through/inner", { recursive: true });
  for (const [name, mode] of [["locked/open", 0o666], ["locked/shut", 0o444], ["shut", 0o444], ["dark", 0o000], ["through/inner/file", 0o644]]) {
    writeFileSync(root + "/" + name, "old");
    chmodSync(root + "/" + name, mode);
  }
  chmodSync(root + "/locked", 0o555);
  chmodSync(root + "/through", 0o111);
  const files = await openWorkspace({ cwd: root, roots: [root] }, { raceProtection });
  const said = { protection: files.raceProtection };
  const note = async (name, work) => { said[name] = await work().then((value) => value, (error) => error.code); };
  const overwrite = { mode: "overwrite" };
  await note("read-only", () => files.writeFile("shut", "new", overwrite));
  await note("locked and read-only", () => files.writeFile("locked/shut", "new", overwrite));
  await note("locked directory", async () => (await files.writeFile("locked/open", "new", overwrite)).notices);
  await note("new in locked", () => files.writeFile("locked/new", "new"));
  await note("made in locked", () => files.mkdir("locked/new"));
  await note("removed from locked", () => files.remove("locked/open"));
  await note("moved from locked", () => files.rename("locked/open", "moved"));
  await note("unreadable", () => files.readFile("dark", { maxBytes: 9 }));
  await note("unlisted", async () => Buffer.from((await files.readFile("through/inner/file", { maxBytes: 9 })).bytes).toString());
  await note("listing the unlisted", () => files.readdir("through"));
  await note("overwritten below the unlisted", async () => (await files.writeFile("through/inner/file", "new", overwrite)).notices);
  said.shut = readFileSync(root + "/shut", "utf8");
  said.open = readFileSync(root + "/locked/open", "utf8");
  await files[Symbol.asyncDispose]();
  console.log(JSON.stringify(said));
`;

describe.runIf(process.platform === "linux")("openWorkspace, as a user without special rights", () => {
  it.each(["closed", "narrowed"])("does what the rights allow and no more, %s", async (protection) => {
    const base = await disk.mkdtemp(join(tmpdir(), "aiw-rights-"));
    try {
      await disk.chmod(base, 0o755);
      const root = join(base, "root");
      await disk.mkdir(root);
      if (process.getuid?.() === 0) await disk.chown(root, 65_534, 65_534);
      const module = new URL("./workspace.ts", import.meta.url).href;
      const forced = protection === "narrowed" ? "narrowed" : "";
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--input-type=module", "-e", SCRIPT, module, root, forced],
        {
          timeout: 10_000,
        },
      );
      expect(JSON.parse(stdout)).toEqual({
        protection,
        "read-only": "permission_denied",
        "locked and read-only": "permission_denied",
        "locked directory": ["written_in_place"],
        "new in locked": "permission_denied",
        "made in locked": "permission_denied",
        "removed from locked": "permission_denied",
        "moved from locked": "permission_denied",
        unreadable: "permission_denied",
        unlisted: "old",
        "listing the unlisted": "permission_denied",
        "overwritten below the unlisted": [],
        shut: "old",
        open: "new",
      });
      expect((await disk.readdir(root)).toSorted()).toEqual(["dark", "locked", "shut", "through"]);
    } finally {
      await disk.rm(base, { recursive: true, force: true });
    }
  });
});
