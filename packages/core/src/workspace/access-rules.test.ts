import * as disk from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import { ToolError } from "../errors/tool-error.ts";
import { codeOf } from "./__fixtures__/failure-of.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

let base: string;
let root: string;

const rules: (more: Partial<WorkspaceRoots>) => WorkspaceRoots = (more) => ({ cwd: root, roots: [root], ...more });

/** Every way there is to read or change one path. */
const operations: { readonly [name: string]: (files: Workspace, path: string) => Promise<unknown> } = {
  open: async (files, path) => await (await files.open(path))[Symbol.asyncDispose](),
  readFile: async (files, path) => await files.readFile(path, { maxBytes: 1000 }),
  realPath: async (files, path) => await files.realPath(path),
  stat: async (files, path) => await files.stat(path),
  lstat: async (files, path) => await files.lstat(path),
  readlink: async (files, path) => await files.readlink(path),
  readdir: async (files, path) => await files.readdir(path),
  assertMayWrite: async (files, path) => await files.assertMayWrite(path),
  create: async (files, path) => await files.writeFile(path, "new", { createDirs: true }),
  overwrite: async (files, path) => await files.writeFile(path, "new", { mode: "overwrite" }),
  symlink: async (files, path) => await files.symlink("src/a.ts", path),
  mkdir: async (files, path) => await files.mkdir(path, { recursive: true }),
  remove: async (files, path) => await files.remove(path, { recursive: true }),
  moveFrom: async (files, path) => await files.rename(path, "elsewhere"),
  moveTo: async (files, path) => await files.rename("src/b.ts", path, { overwrite: true }),
  copyFrom: async (files, path) => await files.copy(path, "elsewhere"),
  copyTo: async (files, path) => await files.copy("src/b.ts", path, { overwrite: true }),
};
const reading = new Set(["open", "readFile", "realPath", "stat", "lstat", "readlink", "readdir", "copyFrom"]);

beforeEach(async () => {
  base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-rules-")));
  root = join(base, "app");
  await disk.mkdir(join(root, "src"), { recursive: true });
  await disk.mkdir(join(root, "keys/deep"), { recursive: true });
  for (const name of ["src/a.ts", "src/b.ts", "keys/one.pem", "keys/deep/two.pem", ".env"]) {
    await disk.writeFile(join(root, name), name);
  }
  await disk.symlink("keys", join(root, "door"));
  await disk.symlink("../keys/one.pem", join(root, "src/plain.txt"));
  await disk.symlink("src/a.ts", join(root, "secret.link"));
});
afterEach(async () => {
  await disk.rm(base, { recursive: true, force: true });
});

describe("deny rules of a workspace", () => {
  it.each(Object.keys(operations))("hold for %s, whether or not anything is there (SEC-FS-8)", async (name) => {
    const before = await disk.readdir(root, { recursive: true });
    await using files = await openWorkspace(rules({ deny: ["**/*.pem"] }));
    for (const path of ["keys/one.pem", "src/none.pem", "src/none.pem/below"]) {
      expect(await codeOf(operations[name]?.(files, path) ?? Promise.resolve())).toBe("denied_by_policy");
    }
    expect(await disk.readdir(root, { recursive: true })).toEqual(before);
  });

  it.each([
    ["keys"],
    ["keys/"],
    ["./keys"],
    ["./src/../keys"],
    ["KEYS"],
    ["key[s]"],
    ["k*"],
    ["{keys,other}"],
    ["keys/*.pem"],
    ["keys/**"],
    ["**/one.pem"],
    ["one.pem"],
    ["door"],
    ["door/one.pem"],
    ["src/plain.txt"],
    ["@root/keys"],
    ["@root/src/../keys/*"],
    ["@link/keys/one.pem"],
    ["~/app/keys"],
  ])("hold for a name, its target and both, spelt %s (SEC-FS-8)", async (pattern) => {
    await disk.symlink(root, join(base, "link"));
    const deny = [pattern.replace("@root", root).replace("@link", join(base, "link"))];
    await using files = await openWorkspace(rules({ deny }), { home: base });
    for (const path of ["keys/one.pem", "./keys//one.pem", "src/../keys/one.pem", "door/one.pem", "src/plain.txt"]) {
      expect(await codeOf(files.readFile(path, { maxBytes: 100 }))).toBe("denied_by_policy");
      expect(await codeOf(files.writeFile(path, "new", { mode: "overwrite" }))).toBe("denied_by_policy");
    }
    expect(await codeOf(files.readFile("src/a.ts", { maxBytes: 100 }))).toBe("done");
    expect(files.isDenied(join(root, "keys/one.pem"))).toBe(true);
    expect(files.isDenied(join(root, "src/a.ts"))).toBe(false);
  });

  it("hold for composed and decomposed spellings alike (SEC-FS-8)", async () => {
    await disk.writeFile(join(root, "caf\u00e9"), "");
    await disk.writeFile(join(root, "cafe\u0301"), "");
    await using files = await openWorkspace(rules({ deny: ["cafe\u0301"] }));
    expect(await codeOf(files.stat("caf\u00e9"))).toBe("denied_by_policy");
    expect(await codeOf(files.stat("cafe\u0301"))).toBe("denied_by_policy");
  });

  it("hold for a link by its name although what it leads to is free (SEC-FS-8)", async () => {
    await using files = await openWorkspace(rules({ deny: ["*.link"] }));
    expect(await codeOf(files.readFile("secret.link", { maxBytes: 100 }))).toBe("denied_by_policy");
    expect(await codeOf(files.readFile("src/a.ts", { maxBytes: 100 }))).toBe("done");
  });

  it("are not lifted by moving, copying or removing a folder that holds what is denied (SEC-FS-8)", async () => {
    await using files = await openWorkspace(rules({ deny: ["keys/deep/*"] }));
    expect(await codeOf(files.rename("keys", "open"))).toBe("denied_by_policy");
    expect(await codeOf(files.rename("keys/deep", "keys/shallow"))).toBe("denied_by_policy");
    expect(await codeOf(files.copy("keys", "open", { recursive: true }))).toBe("denied_by_policy");
    expect(await codeOf(files.remove("keys", { recursive: true }))).toBe("denied_by_policy");
    expect(await disk.readFile(join(root, "keys/deep/two.pem"), "utf8")).toBe("keys/deep/two.pem");
    expect(await codeOf(files.rename("src", "lib"))).toBe("done");
  });

  it("hold where a folder would go with all in it, so that it can be taken back from there (SEC-FS-8)", async () => {
    await disk.writeFile(join(root, "src/key.pem"), "");
    await disk.mkdir(join(root, "src/lib"));
    await using files = await openWorkspace(
      rules({ deny: ["vault/*.pem", "vault2/{src,lib}"], readOnly: ["kept/lib", "far"] }),
    );
    await disk.mkdir(join(root, "vault2"));
    const before = (await disk.readdir(root, { recursive: true })).toSorted();
    for (const to of ["vault", "vault2/src", "kept", "far/src", "vault/../vault"]) {
      const options = { createDirs: true, recursive: true };
      for (const how of [options, { ...options, dryRun: true }]) {
        expect(await codeOf(files.rename("src", to, how)), to).toBe("denied_by_policy");
        expect(await codeOf(files.copy("src", to, how)), to).toBe("denied_by_policy");
      }
    }
    await expect(files.rename("src", "vault")).rejects.toThrow(/vault\/key\.pem$/u);
    expect((await disk.readdir(root, { recursive: true })).toSorted()).toEqual(before);
    expect(await codeOf(files.rename("src", "vault3"))).toBe("done");
  });

  it("are not lifted by taking away the link they name (SEC-FS-8)", async () => {
    await disk.symlink("../door", join(root, "src/inner"));
    const deny = ["door/one.pem", "src/inner/deep"];
    await using files = await openWorkspace(rules({ deny }));
    expect(await codeOf(files.remove("door"))).toBe("protected_path");
    expect(await codeOf(files.rename("door", "gate"))).toBe("protected_path");
    expect(await codeOf(files.rename("src/a.ts", "door", { overwrite: true }))).toBe("protected_path");
    expect(await codeOf(files.copy("secret.link", "door", { overwrite: true }))).toBe("protected_path");
    expect(await codeOf(files.rename("src", "lib"))).toBe("protected_path");
    expect(await codeOf(files.remove("src", { recursive: true }))).toBe("protected_path");
    await using again = await openWorkspace(rules({ deny }));
    expect(await codeOf(again.readFile("keys/one.pem", { maxBytes: 100 }))).toBe("denied_by_policy");
    expect(await codeOf(again.readdir("keys/deep"))).toBe("denied_by_policy");
    expect(await codeOf(again.writeFile("src/new.ts", ""))).toBe("done");
  });

  it("keep names out of listings and suggestions, and say how many", async () => {
    await using files = await openWorkspace(rules({ deny: ["*.pem", ".env"] }));
    const listing = await files.readdir("keys", { facts: true });
    expect([listing.entries.map(({ name }) => name), listing.denied]).toEqual([["deep"], 1]);
    await expect(files.stat("keys/one.pe")).rejects.toSatisfy((error) => {
      return ToolError.is(error) && error.code === "not_found" && error.suggestion === undefined;
    });
  });

  it("belong to the working directory and each root, at any depth without a slash", async () => {
    const other = join(base, "other");
    await disk.mkdir(join(other, "sub/keys"), { recursive: true });
    await disk.mkdir(join(other, "keys"));
    const both = { roots: [root, other] };
    await using anchored = await openWorkspace(rules({ ...both, deny: ["./keys"] }));
    expect(await codeOf(anchored.stat(join(other, "keys")))).toBe("denied_by_policy");
    expect(await codeOf(anchored.stat(join(other, "sub/keys")))).toBe("done");
    await using anywhere = await openWorkspace(rules({ ...both, deny: ["keys"] }));
    expect(await codeOf(anywhere.stat(join(other, "sub/keys")))).toBe("denied_by_policy");
    await using above = await openWorkspace(rules({ ...both, deny: ["app", "../other/sub"] }));
    expect(await codeOf(above.stat("src/a.ts"))).toBe("done");
    expect(await codeOf(above.stat(join(other, "sub")))).toBe("denied_by_policy");
  });

  it("deny all where they name a root, and nothing where there are none", async () => {
    await using closed = await openWorkspace(rules({ deny: [root] }));
    expect(await codeOf(closed.readdir("."))).toBe("denied_by_policy");
    await using open = await openWorkspace(rules({ deny: [] }));
    expect(await codeOf(open.readdir("."))).toBe("done");
  });

  it("name the rule and what was asked for, and no more", async () => {
    await using files = await openWorkspace(rules({ deny: ["keys/*.pem"] }));
    await expect(files.stat("src/plain.txt")).rejects.toThrow(
      'A rule of the workspace keeps it from tools (deny "keys/*.pem"): src/plain.txt',
    );
  });

  it.each([["a[b"], ["!keys"], ["*/../x"], [""], ["a\0"]])("fail when %j cannot be read", async (pattern) => {
    expect(await codeOf(openWorkspace(rules({ deny: [pattern] })))).toBe("options_invalid");
  });
});

describe("read-only folders of a workspace", () => {
  it.each(Object.keys(operations))("let %s read and nothing be changed", async (name) => {
    const before = await disk.readdir(root, { recursive: true });
    await using files = await openWorkspace(rules({ readOnly: ["keys"] }));
    for (const path of ["keys", "keys/one.pem", "keys/new", "door/new", "KEYS/new"]) {
      const outcome = await codeOf(operations[name]?.(files, path) ?? Promise.resolve());
      expect(outcome === "denied_by_policy", `${path}: ${outcome}`).toBe(!reading.has(name));
      await disk.rm(join(root, "elsewhere"), { recursive: true, force: true });
    }
    expect(await disk.readdir(root, { recursive: true })).toEqual(before);
  });

  it("are not lifted by moving or removing a folder that holds one", async () => {
    await using files = await openWorkspace(rules({ readOnly: [join(root, "keys/deep")] }));
    expect(await codeOf(files.rename("keys", "open"))).toBe("denied_by_policy");
    expect(await codeOf(files.remove("keys", { recursive: true }))).toBe("denied_by_policy");
    expect(await codeOf(files.copy("keys", "open", { recursive: true }))).toBe("done");
    expect(await disk.readdir(join(root, "keys/deep"))).toEqual(["two.pem"]);
  });

  it.each<[string, Partial<WorkspaceRoots>, string]>([
    ["a rule holds, so that no file of a read-only folder changes by another name", { readOnly: ["keys"] }, "detached"],
    ["there is no rule", {}, "kept"],
  ])("decide about hard links: %s (SEC-FS-4)", async (_, more, expected) => {
    await disk.link(join(root, "keys/one.pem"), join(root, "src/second.pem"));
    await using files = await openWorkspace(rules(more));
    const how = { mode: "overwrite", hardLinks: "keep" } as const;
    const { notices } = await files.writeFile("src/second.pem", "new", how);
    expect(notices.includes("hard_link_detached")).toBe(expected === "detached");
    expect(await disk.readFile(join(root, "src/second.pem"), "utf8")).toBe("new");
    expect(await disk.readFile(join(root, "keys/one.pem"), "utf8")).toBe(expected === "kept" ? "new" : "keys/one.pem");
  });

  it("may be whole roots, named through links or as ~", async () => {
    await disk.symlink(root, join(base, "link"));
    for (const folder of [root, ".", join(base, "link"), "~/app"]) {
      await using files = await openWorkspace(rules({ readOnly: [folder] }), { home: base });
      expect(await codeOf(files.writeFile("new", ""))).toBe("denied_by_policy");
      expect(await codeOf(files.readdir("."))).toBe("done");
    }
  });
});

describe("the folder of the journal", () => {
  it.each(["inside", "a link"])("is neither read nor written, %s a root", async (where) => {
    const state = join(root, "state/aiw");
    await disk.mkdir(join(state, "journal"), { recursive: true });
    await disk.symlink("state", join(root, "way-in"));
    vi.stubEnv("AIW_STATE_HOME", where === "inside" ? state : join(root, "way-in/aiw"));
    onTestFinished(() => void vi.unstubAllEnvs());
    await using files = await openWorkspace(rules({}));
    for (const path of ["state/aiw/journal", "way-in/aiw", "state/aiw/new"]) {
      expect(await codeOf(files.stat(path))).toBe("protected_path");
      expect(await codeOf(files.writeFile(`${path}/x`, "", { createDirs: true }))).toBe("protected_path");
    }
    expect(await codeOf(files.rename("state", "mine"))).toBe("protected_path");
    expect((await files.readdir("state")).entries).toEqual([]);
  });

  it("hinders nothing when the root lies in it", async () => {
    vi.stubEnv("AIW_STATE_HOME", base);
    vi.stubEnv("AIW_CONFIG_HOME", base);
    onTestFinished(() => void vi.unstubAllEnvs());
    await using files = await openWorkspace(rules({}));
    expect(await codeOf(files.stat("src/a.ts"))).toBe("done");
  });
});

describe("the record of what is trusted", () => {
  it.each(["below a root", "through a link", "in a folder that is a root"])(
    "is neither read nor written, %s",
    async (where) => {
      await disk.mkdir(join(root, ".config/aiw"), { recursive: true });
      await disk.writeFile(join(root, ".config/aiw/trust.json"), "{}");
      await disk.symlink(".config", join(root, "way-in"));
      vi.stubEnv("AIW_CONFIG_HOME", join(root, where === "through a link" ? "way-in/aiw" : ".config/aiw"));
      onTestFinished(() => void vi.unstubAllEnvs());
      const cwd = where === "in a folder that is a root" ? join(root, ".config/aiw") : root;
      await using files = await openWorkspace({ cwd, roots: [cwd] });
      for (const path of [
        join(root, ".config/aiw/trust.json"),
        join(cwd === root ? join(root, "way-in/aiw") : cwd, "TRUST.json"),
      ]) {
        expect(await codeOf(files.readFile(path, { maxBytes: 10 }))).toBe("protected_path");
        expect(await codeOf(files.writeFile(path, "trusted", { mode: "overwrite" }))).toBe("protected_path");
        expect(await codeOf(files.rename(path, join(cwd, "mine")))).toBe("protected_path");
        expect(await codeOf(files.remove(path))).toBe("protected_path");
      }
      if (cwd === root) {
        expect(await codeOf(files.writeFile(".config/aiw/new", ""))).toBe("protected_path");
        expect(await codeOf(files.rename(".config", "mine"))).toBe("protected_path");
      }
      expect(await disk.readFile(join(root, ".config/aiw/trust.json"), "utf8")).toBe("{}");
    },
  );
});

it("refuses a read-only folder that is a pattern, which would keep nothing", async () => {
  for (const folder of ["gen/*", "**/gen", "vendor/**"]) {
    expect(await codeOf(openWorkspace(rules({ readOnly: [folder] })))).toBe("options_invalid");
  }
});
