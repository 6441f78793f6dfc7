import { describe, expect, it } from "vitest";
import type { ProbePorts } from "./probe-ports.ts";
import { probeSandbox } from "./probe-sandbox.ts";

function ports(given: Partial<ProbePorts>): ProbePorts & { readonly ran: string[][] } {
  const ran: string[][] = [];
  return {
    platform: "linux",
    exists: (path) => path === "/usr/bin/bwrap",
    readText: () => undefined,
    run: async () => ({ ok: true, stdout: "--disable-userns --size", stderr: "" }),
    ...given,
    ran,
  };
}

const refuse =
  (stderr: string): ProbePorts["run"] =>
  async (argv) =>
    argv.includes("--help") ? { ok: true, stdout: "", stderr: "" } : { ok: false, stdout: "", stderr };

describe("probeSandbox", () => {
  it("tries the flags that are used later (SEC-BOX-2)", async () => {
    const ran: (readonly string[])[] = [];
    const run: ProbePorts["run"] = async (argv) => {
      ran.push(argv);
      return { ok: true, stdout: "--disable-userns", stderr: "" };
    };
    expect(await probeSandbox(ports({ run }))).toEqual({
      kind: "bubblewrap",
      program: "/usr/bin/bwrap",
      features: { disableUserns: true, sizedTmpfs: false },
    });
    expect(ran[1]).toEqual(
      expect.arrayContaining([
        "--unshare-all",
        "--unshare-user",
        "--disable-userns",
        "--die-with-parent",
        "--new-session",
      ]),
    );
  });

  it("names the packages where bubblewrap is absent", async () => {
    expect(await probeSandbox(ports({ exists: () => false }))).toMatchObject({
      kind: "none",
      fix: expect.stringContaining("apt-get install bubblewrap"),
    });
  });

  it.each([
    ["/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n", "apparmor_restrict_unprivileged_userns=0"],
    ["/proc/sys/kernel/unprivileged_userns_clone", "0\n", "unprivileged_userns_clone=1"],
    ["/proc/sys/user/max_user_namespaces", "0\n", "max_user_namespaces="],
  ])("names the setting of the kernel that forbids it: %s", async (file, text, fix) => {
    const readText: ProbePorts["readText"] = (path) => (path === file ? text : undefined);
    const probe = await probeSandbox(ports({ readText, run: refuse("bwrap: No permissions to create new namespace") }));
    expect(probe).toMatchObject({ kind: "none", fix: expect.stringContaining(fix) });
  });

  it("tells a container that hides /proc from one that forbids namespaces", async () => {
    const hidden = await probeSandbox(
      ports({ run: refuse("bwrap: Can't mount proc on /newroot/proc: Operation not permitted") }),
    );
    expect(hidden).toMatchObject({ kind: "none", fix: expect.stringContaining("systempaths=unconfined") });
    const forbidden = await probeSandbox(ports({ run: refuse("bwrap: Creating new namespace failed") }));
    expect(forbidden).toMatchObject({ kind: "none", reason: expect.stringContaining("Creating new namespace failed") });
  });

  it("tries Seatbelt on macOS and knows nothing for Windows", async () => {
    expect(await probeSandbox(ports({ platform: "darwin" }))).toMatchObject({ kind: "seatbelt" });
    expect(await probeSandbox(ports({ platform: "darwin", run: refuse("denied") }))).toMatchObject({ kind: "none" });
    expect(await probeSandbox(ports({ platform: "win32" }))).toMatchObject({ kind: "none" });
  });
});
