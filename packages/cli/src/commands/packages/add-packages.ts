import { LOCK_FILE, readLock, type AiwLock } from "@aiw/core/node";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import type { CliIo } from "../../io.ts";
import { askYes } from "../../output/ask-yes.ts";
import { formatFact } from "../../output/format-report.ts";
import { oneLine } from "../../output/one-line.ts";
import { printAnswer, printTalk } from "../../output/print-prose.ts";
import { printJson, printLine } from "../../output/print.ts";
import { toShown } from "../../output/to-shown.ts";
import { toAddCommand } from "../list/say-none.ts";
import { changeProject } from "./change/change-project.ts";
import { completeAdd } from "./complete-add.ts";
import { formatInspected } from "./format-inspected.ts";
import { inspectPackages } from "./inspect/inspect-packages.ts";
import type { InspectedPackage } from "./inspect/inspected-package.ts";
import { judgePackage, type Refusal } from "./judge-packages.ts";
import { toAddArguments, type DependencyField } from "./manager/manager-commands.ts";
import { listDependencies, openPackageProject, readPackageJson, type PackageProject } from "./open-package-project.ts";
import type { PackageRequest } from "./parse-request.ts";
import { openScratch, type Scratch } from "./scratch/open-scratch.ts";
import { toJson } from "./to-json.ts";

/** What was asked for, and by whom. */
export interface AddOptions {
  readonly io: CliIo;
  readonly cwd: string;
  readonly json: boolean;
  readonly requests: readonly PackageRequest[];
  readonly isDevelopment: boolean;
  /** What is shown is accepted without a question. */
  readonly accepted: boolean;
  readonly minimumAgeDays: number | undefined;
  readonly signal: AbortSignal;
}

/** How it ended; `shown` means that nobody was there to be asked. */
type State = "added" | "refused" | "declined" | "shown" | "interrupted";

/**
 * Looks at packages, asks, installs them and pins them; whatever fails leaves the project as it was.
 * @throws AiwError `project_required`, `package_change_failed`, `package_change_running`, `lock_invalid`
 */
export async function addPackages(options: AddOptions): Promise<ExitCode> {
  const { io, cwd, signal } = options;
  const project = await openPackageProject(cwd, { environment: io.environment, signal });
  // A damaged lock is said before anything is fetched, and never repaired on the way (SEC-LOCK-2).
  const lock = readLock(project.dir);
  const scratch = await openScratch(project);
  try {
    return await look({ ...options, project, lock, scratch });
  } finally {
    await scratch.close();
  }
}

interface Looking extends AddOptions {
  readonly project: PackageProject;
  readonly lock: AiwLock | undefined;
  readonly scratch: Scratch;
}

async function look(looking: Looking): Promise<ExitCode> {
  const { io, requests, project, minimumAgeDays } = looking;
  const texts = requests.map(({ text }) => toShown(text)).join(", ");
  printTalk(io, `Looking at ${texts} in a folder of its own, with ${project.manager.name} …`);
  const inspected = await inspectPackages(requests, looking);
  if (inspected === undefined) return end(looking, { state: "interrupted", inspected: [] });
  const otherwise = toAddCommand({ manager: project.manager.name });
  const refusals = inspected.flatMap((one) => judgePackage(one, { minimumAgeDays, now: Date.now(), otherwise }));
  if (refusals.length > 0) {
    show(looking, inspected, io.columns);
    return end(looking, { state: "refused", inspected, refusals });
  }
  const answer = await ask(looking, inspected);
  if (answer !== "yes") return end(looking, { state: answer, inspected });
  return install(looking, inspected);
}

/** Programs get it as data at the end. */
function show({ io, json }: Looking, inspected: readonly InspectedPackage[], width: number | undefined): void {
  if (!json) printLine(io.stdout, toText(inspected, width));
}

function toText(inspected: readonly InspectedPackage[], width: number | undefined): string {
  const options = { width, now: Date.now(), node: process.versions.node };
  return inspected.map((one) => `${formatInspected(one, options)}\n`).join("\n");
}

async function ask(
  looking: Looking,
  inspected: readonly InspectedPackage[],
): Promise<"yes" | "declined" | "shown" | "interrupted"> {
  const { io, accepted, signal } = looking;
  if (accepted || !io.interactive) {
    show(looking, inspected, io.columns);
    return accepted ? "yes" : "shown";
  }
  const answer = await askYes({ text: `\n${toText(inspected, io.talkColumns)}\n`, question: "Add this?" }, io);
  if (answer === "interrupted" || signal.aborted) return "interrupted";
  return answer === "yes" ? "yes" : "declined";
}

async function install(looking: Looking, inspected: readonly InspectedPackage[]): Promise<ExitCode> {
  const { io, project, scratch, signal } = looking;
  const { kind } = project.manager;
  const fields = await groupByField(looking, inspected);
  const changed = await changeProject({
    project,
    runs: [...fields].map(([field, specs]) =>
      toAddArguments(kind, { specs, field, isWorkspaceRoot: project.isWorkspaceRoot }),
    ),
    names: inspected.map(({ name }) => name),
    signal,
    complete: () => completeAdd({ project, shownIn: scratch.dir, inspected }),
    say: (text) => printTalk(io, oneLine(text)),
  });
  return end(looking, { state: changed === "changed" ? "added" : "interrupted", inspected });
}

/** What is a dependency already stays one of its kind. */
async function groupByField(
  { project, isDevelopment }: Looking,
  inspected: readonly InspectedPackage[],
): Promise<Map<DependencyField, string[]>> {
  const present = listDependencies(await readPackageJson(project.dir));
  const groups = new Map<DependencyField, string[]>();
  for (const { name, request } of inspected) {
    const field = isDevelopment ? "devDependencies" : (present.get(name) ?? "dependencies");
    groups.set(field, [...(groups.get(field) ?? []), request.spec]);
  }
  return groups;
}

interface Ending {
  readonly state: State;
  readonly inspected: readonly InspectedPackage[];
  readonly refusals?: readonly Refusal[];
}

const EXITS: { readonly [state in Exclude<State, "refused">]: ExitCode } = {
  added: EXIT.ok,
  declined: EXIT.refused,
  shown: EXIT.refused,
  interrupted: EXIT.interrupted,
};

const SAID: { readonly [state in Exclude<State, "added">]: string } = {
  refused: "Nothing was added.",
  declined: "Nothing was added.",
  shown:
    "Nothing was added: nobody is at a terminal to be asked. Once you have looked at it, give the same command with --yes.",
  interrupted: "Interrupted: everything is as before.",
};

function end({ io, json, project, lock }: Looking, { state, inspected, refusals = [] }: Ending): ExitCode {
  const pinned = state === "added" && lock !== undefined ? inspected.filter(({ locked }) => locked !== undefined) : [];
  if (json)
    printJson(io.stdout, {
      project: project.dir,
      manager: project.manager.name,
      state,
      packages: inspected.map(toJson),
      refusals: refusals.map(({ name, reason, fix }) => ({ name, reason, fix })),
      lock: { present: lock !== undefined, pinned: pinned.map(({ name }) => name) },
    });
  for (const { name, reason, fix } of json ? [] : refusals)
    printLine(io.stderr, formatFact("refused", `${name}: ${reason} Fix: ${fix}`, io.talkColumns));
  if (state !== "added") printTalk(io, SAID[state]);
  else if (!json) printAnswer(io, sayAdded(inspected, { isLocked: lock !== undefined, pinned }));
  return state === "refused" ? (Math.max(...refusals.map(({ exitCode }) => exitCode)) as ExitCode) : EXITS[state];
}

function sayAdded(
  inspected: readonly InspectedPackage[],
  { isLocked, pinned }: { readonly isLocked: boolean; readonly pinned: readonly InspectedPackage[] },
): string {
  const named = inspected.map(({ name, version }) => `${toShown(name)} ${toShown(version)}`).join(", ");
  const unpinned = inspected.filter((one) => !pinned.includes(one)).map(({ name }) => toShown(name));
  const lock = !isLocked
    ? `Nothing is pinned: there is no ${LOCK_FILE}. To make one: aiw lock`
    : unpinned.length === 0
      ? `Pinned in ${LOCK_FILE}.`
      : `Not pinned in ${LOCK_FILE}: ${unpinned.join(", ")} (only running code tells its definitions).`;
  return `Added ${named}. ${lock}\nIts tools: aiw list`;
}
