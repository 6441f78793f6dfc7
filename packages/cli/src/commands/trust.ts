import { AiwError, type DiscoveryReport } from "@aiw/core";
import { createTrustStore, type TrustRecord, type TrustStore } from "@aiw/core/node";
import type { Command, Invocation } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { askYes, type Answer } from "../output/ask-yes.ts";
import { formatFinding } from "../output/format-report.ts";
import { oneLine } from "../output/one-line.ts";
import { printAnswer, printTalk } from "../output/print-prose.ts";
import { printJson, printLine } from "../output/print.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { UsageError } from "../usage-error.ts";
import { discoverProject } from "./discover-project.ts";
import { MAKE_PROJECT } from "./say-no-project.ts";
import { gatherTrust, type TrustQuestion } from "./trust/gather-trust.ts";
import { readOwnRecords, type OwnRecord } from "./trust/read-own-records.ts";

/** `aiw trust` */
export const trust: Command = {
  name: "trust",
  summary: "What the project's own files may allow and run",
  help: `Usage: aiw trust [--yes] [--any-content] [--list] [--revoke] [--json] [--cwd DIR]

Shows what the project's own files would widen or run, and asks about each; no code runs. What you trust is the content you
were shown: after a change it waits again. The record is kept outside the project, in your own configuration folder.
--yes          trusts all that is shown, without asking; needed where there is no terminal (else exit 3)
--any-content  trusts the folders whatever they say, now and later
--list         what is trusted of this project
--revoke       takes all of it back`,
  options: {
    yes: { type: "boolean", short: "y" },
    "any-content": { type: "boolean" },
    list: { type: "boolean" },
    revoke: { type: "boolean" },
  },
  positionals: { min: 0, max: 0 },
  async run(invocation) {
    const { io, flags } = invocation;
    assertFlags(flags);
    const store = createTrustStore({ environment: io.environment });
    if (flags["list"] === true) return listTrust(store, invocation);
    if (flags["revoke"] === true) return revokeTrust(store, invocation);
    return decideTrust(store, invocation);
  },
};

function assertFlags(flags: Invocation["flags"]): void {
  const verbs = ["list", "revoke"].filter((flag) => flags[flag] === true);
  const others = ["yes", "any-content"].filter((flag) => flags[flag] === true);
  if (verbs.length > 1) throw new UsageError("--list and --revoke are two commands; give one.");
  if (verbs.length > 0 && others.length > 0) throw new UsageError(`--${verbs[0]} takes no --${others[0]}.`);
}

async function decideTrust(store: TrustStore, { io, cwd, json, flags }: Invocation): Promise<ExitCode> {
  const registry = await discoverProject(io, { projectDir: cwd });
  const { dir, mode: kind } = registry.report.project;
  const anyContent = flags["any-content"] === true;
  if (registry.report.waiting.length > 0 || (anyContent && kind !== "none")) assertStore(store, dir);
  const mode = chooseMode(flags, io);
  const shown: TrustQuestion["record"][] = [];
  const answer = async (question: TrustQuestion): Promise<Answer> => {
    shown.push(question.record);
    const text = wrapLines(question.text, mode === "ask" ? io.talkColumns : io.columns);
    if (mode === "ask") return askYes({ text: `\n${text}\n`, question: "Trust this?" }, io);
    if (!json) printLine(io.stdout, `${text}\n`);
    return mode === "yes" ? "yes" : "no";
  };
  const { accepted, declined, interrupted } = await gatherTrust({ io, cwd, store, anyContent, answer });
  if (interrupted) {
    if (json) printJson(io.stdout, { project: dir, file: store.file, waiting: shown, trusted: [] });
    printTalk(io, "Interrupted: nothing was recorded.");
    return EXIT.interrupted;
  }
  const trusted: TrustRecord[] = [];
  for (const record of accepted) trusted.push(await store.add(record));
  if (json) printJson(io.stdout, { project: dir, file: store.file, waiting: declined, trusted });
  else if (shown.length === 0) printAnswer(io, sayNothing(oneLine(dir), { anyContent, kind }));
  else if (trusted.length > 0) printAnswer(io, sayTrusted(trusted, store));
  sayUntrustable(registry.report, io);
  if (declined.length > 0) printTalk(io, mode === "show" ? NOBODY_ASKED : DECLINED);
  return declined.length > 0 ? EXIT.refused : EXIT.ok;
}

function sayNothing(dir: string, { anyContent, kind }: { anyContent: boolean; kind: string }): string {
  if (kind === "none") return `Nothing to trust: ${dir} is in no project. ${MAKE_PROJECT}`;
  return anyContent ? `${dir} is trusted already, whatever it says.` : `Nothing in ${dir} waits for trust.`;
}

const NOBODY_ASKED =
  "Nothing was recorded: nobody is at a terminal to be asked. Once you have looked at it: aiw trust --yes";
const DECLINED = "What you did not trust goes on waiting and is not used.";

/** `show` only says what waits. */
function chooseMode(flags: Invocation["flags"], { interactive }: CliIo): "yes" | "ask" | "show" {
  if (flags["yes"] === true) return "yes";
  return interactive ? "ask" : "show";
}

/** What cannot be trusted at all was no question. */
function sayUntrustable({ notEnabled }: DiscoveryReport, io: CliIo): void {
  for (const finding of notEnabled)
    if (finding.code === "trust_required" && !finding.fix.includes("aiw trust"))
      printLine(io.stderr, formatFinding("waiting", finding, io.talkColumns));
}

/** @throws AiwError `trust_store_invalid`: an unreadable record is no empty one. */
function assertStore(store: TrustStore, projectDir: string): void {
  const problem = store.problem(projectDir);
  if (problem === undefined) return;
  throw new AiwError("trust_store_invalid", `The record of what is trusted is not used: ${oneLine(problem.reason)}`, {
    fix: problem.fix,
  });
}

function sayTrusted(trusted: readonly TrustRecord[], { file }: TrustStore): string {
  return [
    ...trusted.map(
      (record) => `Trusted: ${sayRecord(record)}${record.parts.length === 0 ? ", though nothing waited" : ""}`,
    ),
    `Recorded in ${oneLine(file)}. To take it back: aiw trust --revoke`,
  ].join("\n");
}

function sayRecord({ subject, dir, hash }: Pick<TrustRecord, "subject" | "dir" | "hash">): string {
  const what = {
    any: "whatever it says, in",
    configuration: "aiw.config.json of",
    project_tools: "the project's own tools in",
    directory: "the folder of tools",
  }[subject];
  return `${what} ${oneLine(dir)}${subject === "any" ? "" : ` (${hash.slice(0, 19)}…)`}`;
}

async function listTrust(store: TrustStore, { io, cwd, json }: Invocation): Promise<ExitCode> {
  const { dir, records } = await readRecords(store, { io, cwd });
  if (json) printJson(io.stdout, { project: dir, file: store.file, records });
  else if (records.length === 0)
    printAnswer(io, `Nothing of ${oneLine(dir)} is trusted.\nKept in ${oneLine(store.file)}`);
  else printAnswer(io, [...records.map(describeRecord), `Kept in ${oneLine(store.file)}`].join("\n"));
  return EXIT.ok;
}

async function revokeTrust(store: TrustStore, { io, cwd, json }: Invocation): Promise<ExitCode> {
  const { dir, records } = await readRecords(store, { io, cwd });
  const revoked: TrustRecord[] = [];
  for (const record of records) revoked.push(...(await store.remove(record.dir, record.hash)));
  if (json) printJson(io.stdout, { project: dir, file: store.file, revoked });
  else if (revoked.length === 0) printAnswer(io, `Nothing of ${oneLine(dir)} was trusted.`);
  else
    printAnswer(
      io,
      [...revoked.map((record) => `No longer trusted: ${sayRecord(record)}`), `Kept in ${oneLine(store.file)}`].join(
        "\n",
      ),
    );
  return EXIT.ok;
}

async function readRecords(
  store: TrustStore,
  { io: { environment }, cwd }: Pick<Invocation, "io" | "cwd">,
): Promise<{ dir: string; records: readonly OwnRecord[] }> {
  const { dir } = (await discoverProject({ environment }, { projectDir: cwd })).report.project;
  assertStore(store, dir);
  return { dir, records: await readOwnRecords(store, { cwd, environment }) };
}

function describeRecord(record: OwnRecord): string {
  const { parts, at, current } = record;
  return [
    `${sayRecord(record)}, since ${oneLine(at)}${current ? "" : "; something else is there now"}`,
    ...parts.map((part) => `  ${oneLine(part)}`),
  ].join("\n");
}
