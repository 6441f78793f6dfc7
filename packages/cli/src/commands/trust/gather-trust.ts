import { realpathSync } from "node:fs";
import type { TrustRequest } from "@aiw/core";
import { ANY_CONTENT, discoverTools, type TrustRecord, type TrustStore } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";
import type { Answer } from "../../output/ask-yes.ts";
import { oneLine } from "../../output/one-line.ts";
import { describeRequest } from "./describe-request.ts";

/** One question: what a yes would record, and all that is shown before. */
export interface TrustQuestion {
  readonly record: Omit<TrustRecord, "at">;
  readonly text: string;
}

/** What was answered; nothing of it is recorded yet. */
export interface GatheredTrust {
  readonly accepted: readonly TrustQuestion["record"][];
  readonly declined: readonly TrustQuestion["record"][];
  readonly interrupted: boolean;
}

/** What is asked about, and who answers. */
export interface GatherOptions {
  readonly io: Pick<CliIo, "environment">;
  readonly cwd: string;
  readonly store: TrustStore;
  /** Asks for each folder as a whole, whatever it says. */
  readonly anyContent: boolean;
  /** Asks a person, or answers for them. */
  readonly answer: (question: TrustQuestion) => Promise<Answer>;
}

/**
 * Asks about everything that waits, and about what begins to wait once that is trusted: a configuration may name folders.
 * Nothing is recorded, and no code runs.
 */
export async function gatherTrust(options: GatherOptions): Promise<GatheredTrust> {
  const accepted: TrustQuestion["record"][] = [];
  const declined: TrustQuestion["record"][] = [];
  const asked = new Set<string>();
  for (;;) {
    const questions = (await listQuestions(options, accepted)).filter(({ record }) => !asked.has(keyOf(record)));
    if (questions.length === 0) return { accepted, declined, interrupted: false };
    for (const question of questions) {
      asked.add(keyOf(question.record));
      const answer = await options.answer(question);
      if (answer === "interrupted") return { accepted: [], declined, interrupted: true };
      (answer === "yes" ? accepted : declined).push(question.record);
    }
  }
}

async function listQuestions(
  { io: { environment }, cwd, store, anyContent }: GatherOptions,
  accepted: readonly TrustQuestion["record"][],
): Promise<TrustQuestion[]> {
  const askedOf = new Set<string>();
  const trust = {
    problem: (dir: string) => store.problem(dir),
    isTrusted: (dir: string, hash: string) => {
      askedOf.add(dir);
      const isAccepted = ({ dir: of, hash: what }: TrustQuestion["record"]): boolean =>
        of === dir && (what === hash || what === ANY_CONTENT);
      return accepted.some(isAccepted) || store.isTrusted(dir, hash);
    },
  };
  const { report } = await discoverTools({ projectDir: cwd }, { environment, trust });
  if (!anyContent) return report.waiting.map(toQuestion);
  const { dir: project, mode } = report.project;
  const groups = Map.groupBy(report.waiting, ({ dir }) => dir);
  // A folder may be trusted before it asks for anything, and when what it says now is trusted already.
  const own = mode === "none" ? [] : [realpathSync.native(project)];
  return [...new Set([...own, ...askedOf, ...groups.keys()])]
    .filter((dir) => !store.isTrusted(dir, ANY_CONTENT))
    .map((dir) => toAnyQuestion(dir, groups.get(dir) ?? []));
}

function toQuestion(request: TrustRequest): TrustQuestion {
  const { subject, dir, hash, parts } = request;
  return { record: { subject, dir, hash, parts }, text: describeRequest(request) };
}

function toAnyQuestion(dir: string, requests: readonly TrustRequest[]): TrustQuestion {
  return {
    record: { subject: "any", dir, hash: ANY_CONTENT, parts: requests.flatMap(({ parts }) => parts) },
    text: [
      ...requests.map(describeRequest),
      `${requests.length === 0 ? "Whatever" : "And whatever"} ${oneLine(dir)} says later: every change of its files, by whoever makes it, would hold and run unasked.`,
    ].join("\n"),
  };
}

function keyOf({ subject, dir, hash }: TrustQuestion["record"]): string {
  return JSON.stringify([subject, dir, hash]);
}
