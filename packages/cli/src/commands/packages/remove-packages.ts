import { nearestNames, AiwError } from "@aiw/core";
import { createTrustStore, listTools, readLock, writeLock, type AiwLock } from "@aiw/core/node";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import type { CliIo } from "../../io.ts";
import { askYes } from "../../output/ask-yes.ts";
import { formatFact } from "../../output/format-report.ts";
import { oneLine } from "../../output/one-line.ts";
import { printAnswer, printTalk } from "../../output/print-prose.ts";
import { printJson, printLine } from "../../output/print.ts";
import { toShown } from "../../output/to-shown.ts";
import { UsageError } from "../../usage-error.ts";
import { AS_BEFORE, changeProject } from "./change/change-project.ts";
import { findMentions } from "./find-mentions.ts";
import { toRemoveArguments } from "./manager/manager-commands.ts";
import { listDependencies, openPackageProject, readPackageJson, type PackageProject } from "./open-package-project.ts";

/** What is to go, and who says so. */
export interface RemoveOptions {
  readonly io: CliIo;
  readonly cwd: string;
  readonly json: boolean;
  readonly names: readonly string[];
  readonly accepted: boolean;
  readonly signal: AbortSignal;
}

/** A package that goes. */
interface Leaving {
  readonly name: string;
  /** Absent where the project's tools cannot be listed. */
  readonly tools: readonly string[] | undefined;
  /** Places of the configuration that name it or its tools. */
  readonly mentions: readonly string[];
}

type State = "removed" | "declined" | "shown" | "interrupted";

interface Removing extends RemoveOptions {
  readonly project: PackageProject;
  readonly lock: AiwLock | undefined;
}

/**
 * Shows what goes, asks, and uninstalls; whatever fails leaves the project as it was.
 * @throws AiwError `project_required`, `package_change_failed`, `package_change_running`, `lock_invalid`
 */
export async function removePackages(options: RemoveOptions): Promise<ExitCode> {
  const { io, cwd, names, signal } = options;
  const project = await openPackageProject(cwd, { environment: io.environment, signal });
  const lock = readLock(project.dir);
  await assertDependencies(names, project);
  const removing = { ...options, project, lock };
  const leaving = await listLeaving(removing);
  const answer = await ask(removing, leaving);
  if (answer !== "yes") return end(removing, leaving, answer);
  const { manager, isWorkspaceRoot } = project;
  const changed = await changeProject({
    project,
    runs: [toRemoveArguments(manager.kind, names, isWorkspaceRoot)],
    names,
    signal,
    complete: () => completeRemove(removing),
    say: (text) => printTalk(io, oneLine(text)),
  });
  return end(removing, leaving, changed === "changed" ? "removed" : "interrupted");
}

/** Only keys that are there reach the package manager, so none can pass for an option. */
async function assertDependencies(names: readonly string[], { dir }: PackageProject): Promise<void> {
  const present = [...listDependencies(await readPackageJson(dir)).keys()];
  for (const name of names) {
    if (present.includes(name) && !name.startsWith("-")) continue;
    const [nearest] = nearestNames(name, present, 1);
    const hint = nearest === undefined ? "What there is: aiw list" : `Did you mean ${toShown(nearest)}?`;
    throw new UsageError(`${JSON.stringify(toShown(name))} is no dependency of ${oneLine(dir)}. ${hint}`);
  }
}

async function listLeaving({ names, project: { dir, environment } }: Removing): Promise<Leaving[]> {
  const { AIWHISPERER_FROZEN: _frozen, ...rest } = environment;
  const listing = await listTools(
    { projectDir: dir },
    { environment: rest, trust: createTrustStore({ environment }) },
  ).catch((error: unknown) => {
    // What cannot be listed can be removed all the same.
    if (AiwError.is(error)) return undefined;
    throw error;
  });
  const leaving: Leaving[] = [];
  for (const name of names) {
    const found = listing?.report.found.find(({ id }) => id === name);
    const tools = listing === undefined ? undefined : [...(found?.tools ?? [])];
    leaving.push({ name, tools, mentions: await findMentions(dir, { name, tools: tools ?? [] }) });
  }
  return leaving;
}

function toText(leaving: readonly Leaving[], width: number | undefined): string {
  return leaving
    .flatMap(({ name, tools, mentions }) => [
      formatFact("removes", toShown(name), width),
      formatFact("tools", describeTools(tools), width),
      ...(mentions.length === 0
        ? []
        : [
            formatFact(
              "warning",
              `aiw.config.json goes on naming it, and is not changed: ${mentions.join(", ")}`,
              width,
            ),
          ]),
    ])
    .join("\n");
}

function describeTools(tools: readonly string[] | undefined): string {
  if (tools === undefined) return "unknown: the project's tools cannot be listed";
  return tools.length === 0 ? "none are listed" : tools.map(toShown).join(", ");
}

async function ask(
  removing: Removing,
  leaving: readonly Leaving[],
): Promise<"yes" | "declined" | "shown" | "interrupted"> {
  const { io, json, accepted, signal } = removing;
  if (accepted || !io.interactive) {
    if (!json) printLine(io.stdout, toText(leaving, io.columns));
    return accepted ? "yes" : "shown";
  }
  const answer = await askYes({ text: `\n${toText(leaving, io.talkColumns)}\n\n`, question: "Remove this?" }, io);
  if (answer === "interrupted" || signal.aborted) return "interrupted";
  return answer === "yes" ? "yes" : "declined";
}

async function completeRemove({ names, project }: Removing): Promise<void> {
  const present = listDependencies(await readPackageJson(project.dir));
  const left = names.find((name) => present.has(name));
  if (left !== undefined)
    throw new AiwError(
      "package_change_failed",
      `${left} is still in package.json after ${project.manager.name} had ended${AS_BEFORE}.`,
      {
        fix: `Remove it by hand: ${project.manager.name} remove ${left}`,
      },
    );
  // Read now: another process may have had its turn since it was looked at.
  const lock = readLock(project.dir);
  if (lock === undefined || !names.some((name) => lock.packages.has(name))) return;
  writeLock(project.dir, { packages: new Map([...lock.packages].filter(([key]) => !names.includes(key))) });
}

const EXITS: { readonly [state in State]: ExitCode } = {
  removed: EXIT.ok,
  declined: EXIT.refused,
  shown: EXIT.refused,
  interrupted: EXIT.interrupted,
};

const SAID: { readonly [state in Exclude<State, "removed">]: string } = {
  declined: "Nothing was removed.",
  shown:
    "Nothing was removed: nobody is at a terminal to be asked. Once you have looked at it, give the same command with --yes.",
  interrupted: "Interrupted: everything is as before.",
};

function end({ io, json, project, lock, names }: Removing, leaving: readonly Leaving[], state: State): ExitCode {
  const unpinned = state === "removed" ? names.filter((name) => lock?.packages.has(name) === true) : [];
  if (json)
    printJson(io.stdout, {
      project: project.dir,
      manager: project.manager.name,
      state,
      packages: leaving.map(({ name, tools, mentions }) => ({ name, tools: tools ?? null, mentions })),
      lock: { present: lock !== undefined, unpinned },
    });
  if (state !== "removed") printTalk(io, SAID[state]);
  else if (!json) {
    const pins = unpinned.length === 0 ? "" : " aiw.lock pins it no more.";
    printAnswer(io, `Removed ${names.map(toShown).join(", ")}.${pins}`);
  }
  return EXITS[state];
}
