import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/**
 * Makes, exchanges, renames and removes folders, files and links at random below a root, as fast as it can, until its input ends.
 * It reaches everything through handles of its own: links that are made meanwhile must not lead it outside either.
 */
const SWAPPER = `
  const fs = require("node:fs");
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  const [root, grave, ...targets] = process.argv.slice(1);
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  const attempt = (work) => { try { return work(); } catch { return undefined; } };
  let changes = 0;
  const within = (work) => {
    const open = [];
    try {
      let at = fs.openSync(root, O_RDONLY | O_DIRECTORY);
      open.push(at);
      for (let depth = Math.floor(Math.random() * 3); depth > 0; depth -= 1) {
        at = fs.openSync("/proc/self/fd/" + at + "/" + pick("abc"), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        open.push(at);
      }
      return work("/proc/self/fd/" + at + "/");
    } finally {
      for (const fd of open) fs.closeSync(fd);
    }
  };
  // Few graves: what finds none stays, so that there is no mountain to clear away.
  const bury = (path) => {
    const isGone = attempt(() => { fs.unlinkSync(path); return true; }) ?? attempt(() => { fs.rmdirSync(path); return true; });
    if (!isGone) fs.renameSync(path, grave + "/" + Math.floor(Math.random() * 100));
  };
  const actions = [
    (at) => fs.mkdirSync(at + pick("abc")),
    (at) => fs.writeFileSync(at + pick("abc"), "inside", { flag: "wx" }),
    (at) => fs.symlinkSync(pick(targets), at + pick("abc")),
    (at) => fs.symlinkSync(pick(targets), at + pick("abc")),
    (at) => { const name = at + pick("abc"); bury(name); fs.symlinkSync(pick(targets), name); },
    (at) => { const name = at + pick("abc"); bury(name); fs.symlinkSync(pick(targets), name); },
    (at) => bury(at + pick("abc")),
    (at) => fs.renameSync(at + pick("abc"), at + pick("abc")),
    (at) => within((other) => fs.renameSync(at + pick("abc"), other + pick("abc"))),
  ];
  process.stdin.on("end", () => { process.stdout.write(" " + changes, () => process.exit(0)); }).resume();
  setTimeout(() => process.exit(1), 120000);
  process.stdout.write("ready");
  const turn = () => {
    for (let n = 0; n < 20; n += 1) attempt(() => { within(pick(actions)); changes += 1; });
    setImmediate(turn);
  };
  turn();
`;

/** A process that exchanges what lies below a root. */
export interface Swapper {
  /** Ends it and tells how much it changed. */
  end(): Promise<number>;
}

/** Starts it; `grave` is a folder for what it takes away, `targets` are what its links say. */
export async function startSwapper(root: string, grave: string, targets: readonly string[]): Promise<Swapper> {
  const child: ChildProcess = spawn(process.execPath, ["-e", SWAPPER, root, grave, ...targets], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said: string[] = [];
  child.stdout?.on("data", (chunk) => said.push(String(chunk)));
  await once(child.stdout ?? child, "data");
  return {
    async end() {
      const ended = once(child, "close");
      child.stdin?.end();
      await ended;
      return Number(said.join("").split(" ")[1] ?? 0);
    },
  };
}
