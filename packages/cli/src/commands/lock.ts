import * as path from "node:path";
import { AiwError } from "@aiw/core";
import {
  compareLock,
  createLock,
  createTrustStore,
  describeDifferences,
  LOCK_FILE,
  readLock,
  writeLock,
  type CreatedLock,
  type LockDifference,
  type LockedPackage,
} from "@aiw/core/node";
import type { Command, Invocation } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { askYes, type Answer } from "../output/ask-yes.ts";
import { formatFinding } from "../output/format-report.ts";
import { oneLine } from "../output/one-line.ts";
import { printAnswer, printTalk } from "../output/print-prose.ts";
import { printJson, printLine } from "../output/print.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { UsageError } from "../usage-error.ts";
import { listChangeWarnings } from "./packages/list-change-warnings.ts";
import { MAKE_PROJECT } from "./say-no-project.ts";

/** `aiw lock` */
export const lock: Command = {
  name: "lock",
  summary: "Pins what tools say and run",
  help: `Usage: aiw lock [--check] [--yes] [--json] [--cwd DIR]

Writes aiw.lock beside package.json: of each package with tools its version, its files and its definitions. From then on what is
different is not enabled, and commands that are frozen fail. No code runs. A lock that is there is compared with what is
installed first; the differences are shown, and you are asked. What is only gone needs no question, and neither does the first lock.
--check  writes nothing: exit code 0 when the lock is in step, 1 with the differences when it is not, 4 when it is missing or damaged
--yes    accepts the differences, without asking; needed where there is no terminal (else exit 3)`,
  options: { check: { type: "boolean" }, yes: { type: "boolean", short: "y" } },
  positionals: { min: 0, max: 0 },
  async run(invocation) {
    const { flags } = invocation;
    if (flags["check"] === true && flags["yes"] === true)
      throw new UsageError("--check writes nothing to say --yes to.");
    return flags["check"] === true ? checkLock(invocation) : makeLock(invocation);
  },
};

/** What was compared. */
interface Compared {
  readonly dir: string;
  readonly file: string;
  readonly created: CreatedLock;
  readonly differences: readonly LockDifference[];
}

/** @throws AiwError `lock_not_writable` outside of a project, and as `createLock` does */
async function compare({ cwd, io: { environment } }: Invocation): Promise<Compared> {
  const created = await createLock({ projectDir: cwd }, { environment, trust: createTrustStore({ environment }) });
  const { projectDir: dir, former, lock: made } = created;
  if (dir !== undefined)
    return { dir, file: path.join(dir, LOCK_FILE), created, differences: compareLock(former, made) };
  throw new AiwError("lock_not_writable", `${oneLine(cwd)} is in no project that could have a lock.`, {
    fix: MAKE_PROJECT,
  });
}

async function checkLock(invocation: Invocation): Promise<ExitCode> {
  const { io, json } = invocation;
  const { dir, file, created, differences } = await compare(invocation);
  // What is there and cannot be read has a message of its own.
  if (readLock(dir) === undefined)
    throw new AiwError("lock_missing", `There is no ${oneLine(file)}.`, { fix: "Look at what is installed: aiw lock" });
  if (json) printJson(io.stdout, toJson({ dir, file, created, differences }, { written: false }));
  else if (differences.length === 0) printAnswer(io, `In step: ${countPinned(created)}.`);
  else printAnswer(io, describeForReview({ created, differences }).join("\n"));
  sayNotPinned(created, invocation);
  if (differences.length > 0 && !json) printTalk(io, `Not in step with ${oneLine(file)}. ${LOOK}`);
  return differences.length === 0 ? EXIT.ok : EXIT.failed;
}

const LOOK = "Look at the differences, then run: aiw lock";

async function makeLock(invocation: Invocation): Promise<ExitCode> {
  const { io, json } = invocation;
  const compared = await compare(invocation);
  const { dir, file, created, differences } = compared;
  const isInStep = created.former !== undefined && differences.length === 0;
  const answer = isInStep ? "no" : await decide(compared, invocation);
  const written = answer === "yes";
  if (written) writeLock(dir, created.lock);
  if (json) printJson(io.stdout, toJson(compared, { written }));
  else if (isInStep) printAnswer(io, `In step already: ${countPinned(created)}.`);
  else if (written) printAnswer(io, `Pinned ${countPinned(created)} in ${oneLine(file)}.`);
  sayNotPinned(created, invocation);
  if (isInStep || written) return EXIT.ok;
  printTalk(io, SAY_UNWRITTEN[answer]);
  return answer === "interrupted" ? EXIT.interrupted : EXIT.refused;
}

type Decision = Answer | "nobody";

const SAY_UNWRITTEN: { readonly [answer in Exclude<Decision, "yes">]: string } = {
  no: "Nothing was written: what is different goes on being refused.",
  interrupted: "Interrupted: nothing was written.",
  nobody:
    "Nothing was written: nobody is at a terminal to be asked. Once you have looked at the differences: aiw lock --yes",
};

/** Shows what would be pinned anew, and asks whoever is there about everything that was not looked at before. */
async function decide({ file, created, differences }: Compared, { io, json, flags }: Invocation): Promise<Decision> {
  const { former, damage } = created;
  const damaged = damage === undefined ? [] : [`${oneLine(file)} ${damage}; all of it would be pinned anew.`];
  const lines = [...damaged, ...describeForReview({ created, differences })];
  const isSafe = damage === undefined && (former === undefined || differences.every(isOnlyGone));
  const asks = !isSafe && flags["yes"] !== true && io.interactive;
  if (asks) {
    const text = `${wrapLines(lines.join("\n"), io.talkColumns)}\n\n`;
    return askYes({ text, question: "Pin this?" }, io);
  }
  if (!json && lines.length > 0) printAnswer(io, lines.join("\n"));
  return isSafe || flags["yes"] === true ? "yes" : "nobody";
}

/** Whatever somebody says yes to is shown whole; the first lock asks nothing, and is told in a line for each package. */
function describeForReview({ created, differences }: Pick<Compared, "created" | "differences">): string[] {
  const { former, damage, lock: made } = created;
  const isFirst = former === undefined && damage === undefined;
  return [
    ...[...made.packages].flatMap(([key, one]) => warnOfChange(key, former?.packages.get(key), one)),
    ...describeDifferences(differences, isFirst ? {} : { reviewed: made.packages }),
  ];
}

function warnOfChange(key: string, from: LockedPackage | undefined, to: LockedPackage): string[] {
  return listChangeWarnings(from, to).map((text) => `warning: ${oneLine(key)} ${text}`);
}

/** A package that is there no more; one that lost a tool or file is another package. */
function isOnlyGone({ kind, tool }: LockDifference): boolean {
  return kind === "removed" && tool === undefined;
}

function countPinned({ lock: { packages } }: CreatedLock): string {
  const tools = [...packages.values()].reduce((sum, one) => sum + one.tools.size, 0);
  return `${tools} ${tools === 1 ? "tool" : "tools"} of ${packages.size} ${packages.size === 1 ? "package" : "packages"}`;
}

/** What goes on without being pinned, or is not what its author meant. */
function sayNotPinned({ unpinned, broken, kept }: CreatedLock, { io, json }: Invocation): void {
  if (json) return;
  for (const finding of unpinned) printLine(io.stderr, formatFinding("unpinned", finding, io.talkColumns));
  for (const finding of broken) printLine(io.stderr, formatFinding("rejected", finding, io.talkColumns));
  if (kept.length > 0) printTalk(io, `Off here, and pinned as before: ${kept.map(oneLine).join(", ")}`);
}

function toJson({ dir, file, created, differences }: Compared, { written }: { readonly written: boolean }): object {
  const { former, damage, kept, unpinned, broken } = created;
  return {
    project: dir,
    file,
    inStep: former !== undefined && differences.length === 0,
    written,
    differences,
    ...(damage !== undefined && { damage }),
    kept,
    unpinned,
    broken,
  };
}
