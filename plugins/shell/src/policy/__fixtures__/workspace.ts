import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeCall, type Verdict } from "../assess-command.ts";
import type { PolicyContext } from "../policy-context.ts";

/** A small workspace on disk, and verdicts on commands in it. */
export interface PolicyWorkspace {
  /** The only root. */
  readonly root: string;
  readonly home: string;
  judge(command: string, changes?: Partial<PolicyContext>, added?: Readonly<Record<string, string>>): Verdict;
  remove(): void;
}

/** Makes `home/root` with a few files, folders and links. */
export function createPolicyWorkspace(): PolicyWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "aiw-policy-")));
  const home = join(base, "home");
  const root = join(home, "root");
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  mkdirSync(join(root, "links"));
  mkdirSync(join(root, "odd"));
  mkdirSync(join(base, "elsewhere"));
  for (const name of ["a.txt", "b.txt", "src/c.ts", "src/deep/d.ts", "odd/-rf"]) writeFileSync(join(root, name), `${name}\n`);
  symlinkSync("/etc/passwd", join(root, "links", "out"));
  symlinkSync("/nowhere/at/all", join(root, "links", "dangling"));
  symlinkSync(join(base, "elsewhere"), join(root, "links", "folder"));
  symlinkSync("src", join(root, "inside"));
  writeFileSync(join(root, "ls"), "#!/bin/sh\n");
  chmodSync(join(root, "ls"), 0o755);
  const context: PolicyContext = {
    roots: [root],
    directory: root,
    home,
    path: "/usr/local/bin:/usr/bin:/bin",
    trustedDirectories: ["/usr/bin", "/bin", "/usr/local/bin"],
    mounts: ["/", "/mnt/disk"],
    host: { pids: [4242, 4000], names: ["node", "npm start"], commandLines: ["node /srv/agent/server.js"] },
    hasInput: false,
  };
  return {
    root,
    home,
    judge: (command, changes = {}, added = {}) => judgeCall(command, added, { ...context, ...changes }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
