import { toJsonValue, type DiscoveryReport, type ToolFailure, type ToolResult } from "@aiw/core";
import { openTools } from "@aiw/executor/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { explainMissing } from "../output/explain-missing.ts";
import { formatFinding } from "../output/format-report.ts";
import { oneLine } from "../output/one-line.ts";
import { printTalk } from "../output/print-prose.ts";
import { printJson, printLine } from "../output/print.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { CALLER_OPTION } from "./caller/caller-option.ts";
import { assertKnownRoles, readCaller } from "./caller/read-caller.ts";
import { createLog } from "./call/create-log.ts";
import { chooseApprover, sayDeclined, type Answered } from "./call/choose-approver.ts";
import { exitCodeOf } from "./call/exit-code-of.ts";
import { nameInstall } from "./call/name-install.ts";
import { printValue } from "./call/print-value.ts";
import { leaveMetrics } from "./call/leave-metrics.ts";
import { sayNotTrusted } from "./call/say-not-trusted.ts";
import { createRenderer } from "./call/create-renderer.ts";
import { sayWhatMayHelp } from "./call/say-what-may-help.ts";
import { discoverProject } from "./discover-project.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { readInput, readTimeout } from "./read-input.ts";
import { sayNoProject } from "./say-no-project.ts";
import { TOOLSET_OPTION } from "./toolset-option.ts";

/** `aiw call` */
export const call: Command = {
  name: "call",
  summary: "Calls a tool",
  help: `Usage: aiw call NAME [--input JSON|@FILE|-] [--yes] [--timeout SECONDS] [--toolset NAME] [--principal ID] [--role NAME] [--frozen] [--json] [--cwd DIR]

Calls one tool under the project's configuration. The tool may touch the folder it runs in (--cwd) and nothing else.
Output streams to stderr, the result goes to stdout: in lines for people at a terminal, elsewhere text as it is and the rest as JSON.
--input    the arguments: JSON, the file after @, or - for standard input; {} unless given
--yes      approves what would be asked; without it and without a terminal such calls are refused (exit 3)
--timeout  seconds of work, if fewer than the tool allows
--toolset  refuses every tool that is not in that toolset of the configuration
--principal who calls, for roles (extensions.auth), limits and records; nobody unless named. It is your word: nothing proves it
--role     a role of the principal; repeatable
${FROZEN_HELP}
--json     prints the whole ToolResult`,
  options: {
    input: { type: "string" },
    yes: { type: "boolean", short: "y" },
    timeout: { type: "string" },
    ...TOOLSET_OPTION,
    ...CALLER_OPTION,
    ...FROZEN_OPTION,
  },
  positionals: { min: 1, max: 1 },
  explainWords: ([name, second]) =>
    second !== undefined && /^[{@-]/.test(second)
      ? `Arguments come after --input: aiw call ${name} --input '${second}'`
      : undefined,
  async run({ io, cwd, json, positionals: [name = ""], flags, lists }) {
    const principal = readCaller({ flags, lists });
    const input = await readInput(flags["input"], { io, cwd: io.cwd });
    const timeoutMs = readTimeout(flags["timeout"]);
    const { toolset } = flags;
    const answered: Answered = { no: undefined };
    const approver = chooseApprover(flags["yes"] === true, { io, answered });
    const registry = await discoverProject(io, { projectDir: cwd, frozen: isFrozen(flags) });
    if (principal !== undefined) assertKnownRoles(principal, registry.config);
    // Which tools meet a toolset's conditions, their definitions tell.
    if (toolset !== undefined) await registry.load();
    const renderer = createRenderer(io);
    await using tools = await openTools({
      projectDir: cwd,
      registry,
      load: "on_call",
      ...(typeof toolset === "string" && { toolset }),
      ...(approver && { approver }),
      ...(principal && { principal }),
      config: leaveMetrics(registry.config, io),
      // What is configured as the log wins; it would not where another one is given.
      ...(registry.config.extensions?.logging === undefined && {
        log: createLog({ io, endLine: renderer.endLine }),
      }),
    }).catch((error: unknown) => nameInstall(error, cwd, io));
    sayNotTrusted(registry, io);
    const interrupt = new AbortController();
    const stopListening = io.onInterrupt(() => interrupt.abort());
    const unsubscribe = tools.activity.subscribe("*", renderer.show);
    const result = await tools.executeTool(name, input, {
      signal: interrupt.signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    unsubscribe();
    stopListening();
    renderer.endLine();
    if (json) printJson(io.stdout, toJsonValue(result));
    else if (answered.no !== undefined) printTalk(io, sayDeclined(name, answered.no));
    else printPeople(result, { name, report: registry.report, io });
    if (!result.success) sayWhatMayHelp(result.code, { registry, io, name, principal });
    return interrupt.signal.aborted ? EXIT.interrupted : exitCodeOf(result, name, registry.report);
  },
};

function printPeople(result: ToolResult, called: Called): void {
  const { io } = called;
  if (result.success) return printValue(result.value, io);
  if (result.code === "tool_not_found") return printMissing(result, called);
  const { error, suggestion, details, code } = result;
  printLine(io.stderr, wrapLines(`${error}\n(${code})`, io.talkColumns));
  if (suggestion !== undefined) printLine(io.stderr, wrapLines(suggestion, io.talkColumns));
  if (details !== undefined && Object.keys(details).length > 0) printValue(details, io);
}

interface Called {
  readonly name: string;
  readonly report: DiscoveryReport;
  readonly io: CliIo;
}

/** One way out: what is known of the name, else where to make a project, else which names are like it. */
function printMissing({ error, suggestion }: ToolFailure, { name, report, io }: Called): void {
  const { dir, mode } = report.project;
  const none = mode === "none" ? sayNoProject(report, io) : undefined;
  const reasons = explainMissing(name, report);
  // Without a name in it, it is for a model that was given tools.
  const isNamed = reasons.length === 0 && suggestion?.startsWith("Call one of") === false;
  const lines = [
    `${error.replace(/^[^ ]*\(\): /, "")}${isNamed ? ` ${suggestion}` : ""}`,
    ...(none === undefined ? [] : [`${none.reason} ${none.fix}`]),
    ...(none === undefined && reasons.length === 0
      ? [`Looked in ${oneLine(dir)}. Why it is not there: aiw why ${JSON.stringify(name)}`]
      : []),
  ];
  printLine(io.stderr, wrapLines(lines.join("\n"), io.talkColumns));
  for (const finding of reasons) printLine(io.stderr, formatFinding("because", finding, io.talkColumns));
}
