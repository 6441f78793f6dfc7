import * as path from "node:path";
import type { Diagnostic } from "@aiw/compiler";
import type { CliIo } from "../../io.ts";
import { oneLine } from "../../output/one-line.ts";
import { printLine } from "../../output/print.ts";
import { printTalk } from "../../output/print-prose.ts";
import { wrapLines } from "../../output/wrap-lines.ts";
import { nameTools } from "../author/name-tools.ts";
import type { BuildOutcome, BuiltManifest, FailedBuild } from "./build-once.ts";

/** What printing needs beside the outcome. */
export interface SayBuild {
  readonly io: CliIo;
  readonly cwd: string;
  /** Remarks that ask for nothing are told too, which may be many. */
  readonly all: boolean;
  format(diagnostic: Diagnostic, cwd: string): string;
}

/** Prints what the compiler remarks, errors last, and what the author should know. */
export function sayRemarks(outcome: BuildOutcome, { io, cwd, all, format }: SayBuild): void {
  const rank = { info: 0, warning: 1, error: 2 };
  const remarks = outcome.diagnostics.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  // Of a build without a manifest they may be what there is to know.
  const isWhole = all || outcome.kind === "failed";
  for (const remark of remarks) if (isWhole || remark.severity !== "info") printRemark(io, format(remark, cwd));
  const hidden = isWhole ? undefined : sayHidden(outcome.diagnostics);
  if (hidden !== undefined) printTalk(io, hidden);
  if (outcome.kind === "failed") return sayFailure(outcome, io);
  for (const note of outcome.notes) printTalk(io, note);
  if (outcome.edits.length > 0 && !outcome.edited) {
    const edits = outcome.edits.map((edit) => `  ${oneLine(edit)}`);
    const lines = ["package.json does not name the manifest yet. Write there, or run aiw build --write:", ...edits];
    printTalk(io, lines.join("\n"));
  }
}

/** Prints a remark of the compiler; the line of source in it, and the caret below, stay as they are. */
export function printRemark(io: Pick<CliIo, "stderr" | "talkColumns">, remark: string): void {
  const lines = remark.split("\n").map((line) => (line.startsWith("    ") ? line : wrapLines(line, io.talkColumns)));
  printLine(io.stderr, lines.join("\n"));
}

/** Counts remarks that nobody has to act on; nothing where there are none. */
export function sayHidden(diagnostics: readonly Diagnostic[]): string | undefined {
  const count = diagnostics.filter(({ severity }) => severity === "info").length;
  if (count === 0) return undefined;
  const what = count === 1 ? "one remark that asks" : `${count} remarks that ask`;
  return `The compiler has ${what} for nothing; to read: aiw build --all`;
}

function sayFailure({ error }: FailedBuild, io: CliIo): void {
  const fix = error.fix === undefined ? "" : `\nFix: ${error.fix}`;
  printTalk(io, `aiw: ${error.message}${fix}`);
}

/** One line on a manifest that was made. */
export function sayBuilt({ path: file, tools, changed, edited, author }: BuiltManifest, cwd: string): string {
  const names = nameTools(tools.map(({ name }) => name));
  const shown = oneLine(path.relative(cwd, file) || file);
  const package_ = edited ? " package.json names it now." : "";
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  const what = changed ? `Wrote ${shown}` : `${shown} is up to date`;
  return `${what}: ${count} of ${oneLine(author.name)} ${oneLine(author.version)} (${names}).${package_}`;
}

/** The outcome as data. */
export function toBuildJson(outcome: BuildOutcome, removed?: string): object {
  if (outcome.kind === "failed") {
    const { code, message, fix } = outcome.error;
    const error = { code, message, ...(fix !== undefined && { fix }) };
    return { manifest: null, removed: removed ?? null, tools: [], diagnostics: outcome.diagnostics, error };
  }
  const { author, path: manifest, changed, tools, diagnostics, notes, edits, edited } = outcome;
  const { name, version, dir, module, source = null } = author;
  return {
    package: { name, version, dir, module, source },
    manifest,
    changed,
    tools,
    diagnostics,
    notes,
    declaration: { edits, edited },
  };
}
