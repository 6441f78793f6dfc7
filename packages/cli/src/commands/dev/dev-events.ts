import { delimiter } from "node:path";
import { AiwError, sampleInput, type ToolSpec } from "@aiw/core";
import type { Diagnostic } from "@aiw/compiler";
import type { CliIo } from "../../io.ts";
import { oneLine } from "../../output/one-line.ts";
import { printAnswer, printTalk } from "../../output/print-prose.ts";
import { printLine } from "../../output/print.ts";
import type { TextOutput } from "../../output/standard-output.ts";
import type { ManifestMaker, MadeManifest } from "../author/manifest/manifest-maker.ts";
import { nameTools } from "../author/name-tools.ts";
import { printRemark, sayHidden } from "../build/say-build.ts";
import type { ServedRefusal } from "./find-refusal.ts";
import { nameProgram } from "./name-program.ts";
import { toServedName } from "./served-folder.ts";

/** Who hears what happens: a person, or a program that reads lines of JSON. */
export interface DevListener {
  readonly io: CliIo;
  readonly cwd: string;
  readonly json: boolean;
  /** Standard output is the command's. */
  readonly hasCommand: boolean;
  readonly maker: ManifestMaker;
}

/** Says that hosts get another snapshot: at first all a person needs, later one line. */
export function saySnapshot(
  made: MadeManifest,
  { dir, isFirst }: { readonly dir: string; readonly isFirst: boolean },
  listener: DevListener,
): void {
  const { io, json, hasCommand } = listener;
  const tools = readSpecs(made).map((spec) => ({ id: toId(made, spec), spec }));
  const { anywhere, inPackage } = nameProgram(made.author.dir, quoteWord);
  const toCalls = (program: string): string[] => tools.map(({ id, spec }) => toCall(id, { spec, dir, program }));
  const calls = toCalls(anywhere ?? inPackage ?? "aiw");
  if (json) {
    const { name, version } = made.author;
    const listed = tools.map(({ id, spec: { name: tool, description } }, index) => ({
      id,
      name: tool,
      description,
      call: calls[index],
    }));
    return sayJson(listener, {
      event: "serving",
      package: { name, version },
      environment: { AIWHISPERER_PLUGINS_DIR: withExisting(dir, io) },
      tools: listed,
      diagnostics: made.diagnostics,
      notes: made.notes,
    });
  }
  sayRemarks(
    made.diagnostics.filter(({ severity }) => severity !== "info"),
    listener,
  );
  // What asks for nothing is counted once.
  const hidden = isFirst ? sayHidden(made.diagnostics) : undefined;
  if (hidden !== undefined) printTalk(io, hidden);
  for (const note of made.notes) printTalk(io, note);
  const names = nameTools(tools.map(({ spec }) => spec.name));
  const counted = `${tools.length} ${tools.length === 1 ? "tool" : "tools"} of ${oneLine(made.author.name)} (${names})`;
  const said = `${isFirst ? "Serving" : "Reloaded:"} ${counted}`;
  if (hasCommand) return printTalk(io, `${said}.`);
  if (!isFirst) return printAnswer(io, `${said}.`);
  printAnswer(io, `${said}; Ctrl-C ends it.\n\n${VARIABLE}`);
  // What is to be copied is not broken.
  printLine(io.stdout, `  ${toVariable(withExisting(dir, io))}\n`);
  printAnswer(io, anywhere === undefined ? "A call, in the package's folder:" : "A call, from any folder:");
  printLine(io.stdout, calls.map((call) => `  ${call}`).join("\n"));
  const [shorter] = anywhere === undefined || inPackage === undefined ? [] : toCalls(inPackage);
  if (shorter !== undefined) printLine(io.stdout, `\nShorter, in the package's folder:\n  ${shorter}`);
}

const VARIABLE = "An agent that reads this variable when it starts has them, and those that watch take each change:";

/** Says at once that something goes on: compilers take their time. */
export function sayBuilding(name: string, { io, json }: DevListener): void {
  if (!json) printTalk(io, `Building ${oneLine(name)} …`);
}

/** A build that failed while its files were written may have seen half of them. */
export function sayChanged(listener: DevListener): void {
  if (listener.json) sayJson(listener, { event: "changed" });
  else printTalk(listener.io, "Changed while building; building again.");
}

/** Says why hosts go on with what they had. */
export function sayFailure(
  error: unknown,
  { hasServed }: { readonly hasServed: boolean },
  listener: DevListener,
): void {
  const { io, json } = listener;
  const { code, message, fix, details } = AiwError.is(error)
    ? error
    : { code: "internal_error", message: String(error), fix: undefined, details: undefined };
  const diagnostics = (details?.["diagnostics"] ?? []) as readonly Diagnostic[];
  const output = details?.["output"];
  if (json)
    return sayJson(listener, {
      event: "failed",
      error: { code, message, ...(fix !== undefined && { fix }) },
      diagnostics,
      ...(typeof output === "string" && { output }),
    });
  if (typeof output === "string" && output !== "") printLine(io.stderr, output);
  sayRemarks(diagnostics, listener);
  const rest = hasServed ? "The last good build is still served." : "Nothing is served yet.";
  printTalk(io, `aiw: ${message}${fix === undefined ? "" : `\nFix: ${fix}`}\n${rest}`);
}

/** Says why an agent in the project is not given what is served. */
export function sayRefusal(error: ServedRefusal, listener: DevListener): void {
  const { io, json } = listener;
  if (json) return sayJson(listener, { event: "refused", error });
  printTalk(io, `aiw: ${error.message}\nFix: ${error.fix}`);
}

/** One line on the command, for whoever watches. */
export function sayCommand(text: string, listener: DevListener): void {
  if (listener.json) sayJson(listener, { event: "command", text });
  else printTalk(listener.io, text);
}

/** The variable's value with what it names already. */
export function withExisting(dir: string, { environment }: CliIo): string {
  const existing = environment["AIWHISPERER_PLUGINS_DIR"];
  return existing === undefined || existing === "" ? dir : `${dir}${delimiter}${existing}`;
}

function sayRemarks(diagnostics: readonly Diagnostic[], { io, cwd, maker }: DevListener): void {
  for (const remark of diagnostics) printRemark(io, maker.format(remark, cwd));
}

function sayJson(listener: DevListener, data: object): void {
  printLine(talk(listener), JSON.stringify(data));
}

function talk({ io, hasCommand }: DevListener): TextOutput {
  return hasCommand ? io.stderr : io.stdout;
}

function readSpecs({ text }: MadeManifest): ToolSpec[] {
  return (JSON.parse(text) as { readonly tools: readonly { readonly spec: ToolSpec }[] }).tools.map(({ spec }) => spec);
}

/** A full id, which no installed package of the same tool hides. */
function toId({ author }: MadeManifest, { name }: ToolSpec): string {
  return `${toServedId(author.name)}/${name}`;
}

/** What hosts call the package that is served. */
export function toServedId(name: string): string {
  return `dir:${toServedName(name)}`;
}

interface Callable {
  readonly spec: ToolSpec;
  readonly dir: string;
  /** What the shell is given in place of `aiw`. */
  readonly program: string;
}

function toCall(id: string, { spec, dir, program }: Callable): string {
  const input = JSON.stringify(sampleInput(spec));
  const given = input === "{}" ? "" : ` --input ${quoteWord(input)}`;
  const call = `${program} call ${quoteWord(id)}${given}`;
  return process.platform === "win32" ? call : `AIWHISPERER_PLUGINS_DIR=${quoteWord(dir)} ${call}`;
}

function toVariable(value: string): string {
  return process.platform === "win32"
    ? `$env:AIWHISPERER_PLUGINS_DIR = ${quoteWord(value)}`
    : `export AIWHISPERER_PLUGINS_DIR=${quoteWord(value)}`;
}

/** For a shell; what hides in it is shown, since nobody would type that. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const quote = process.platform === "win32" ? "''" : String.raw`'\''`;
  return `'${oneLine(word).replaceAll("'", quote)}'`;
}
