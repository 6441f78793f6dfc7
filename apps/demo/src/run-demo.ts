import { existsSync } from "node:fs";
import { AiwError, type ActivityStream } from "@aiw/core";
import type { Approver } from "@aiw/executor";
import { createPaint, createTerminalRenderer, openTools, showDuration, toPlainText } from "@aiw/executor/node";
import { chooseModel, SetupError, type Environment } from "./choose-model.ts";
import { chooseCollector } from "./choose-collector.ts";
import { createDefaultTask, createPage } from "./default-task.ts";
import { createDemoConfig } from "./demo-config.ts";
import { findMetrics } from "./find-metrics.ts";
import { LineWriter } from "./line-writer.ts";
import { startPageServer } from "./page-server.ts";
import type { DemoOptions } from "./parse-arguments.ts";
import { runAgent, type AgentOutcome } from "./run-agent.ts";
import { createScratchFolder } from "./scratch-folder.ts";

/** The process as the demo sees it, so that tests can be another one. */
export interface DemoWorld {
  readonly env: Environment;
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Asks a person; absent when nobody is there. */
  readonly approver?: Approver;
  /** Whose package.json says which tool packages there are. */
  readonly projectDir: string;
  /** How the `aiw` command is called here. */
  readonly aiw: string;
  /** The folder the agent looks at. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Runs one task from the first line to the last; gives the exit code. */
export async function runDemo(options: DemoOptions, world: DemoWorld): Promise<number> {
  const paint = createPaint(world.isTerminal, world.env["NO_COLOR"]);
  const out = new LineWriter(world.write);
  const started = performance.now();
  try {
    return await runTask(options, world, { paint, out, started });
  } catch (error) {
    if (world.signal.aborted) return 1;
    if (!(error instanceof SetupError) && !AiwError.is(error)) throw error;
    out.line(paint("red", error.message));
    if (AiwError.is(error) && error.fix !== undefined) out.line(`Fix: ${error.fix}`);
    return 1;
  }
}

/** Characters of a name in front of a fact. */
const LABEL_WIDTH = 8;

interface Screen {
  readonly paint: ReturnType<typeof createPaint>;
  readonly out: LineWriter;
  readonly started: number;
}

async function runTask(options: DemoOptions, world: DemoWorld, { paint, out, started }: Screen): Promise<number> {
  const { model, description } = await chooseModel(options, world.env, world.signal);
  const collector = chooseCollector(world.env);
  await using scratch = await createScratchFolder();
  await using page = await startPageServer(createPage(scratch.report));
  await using tools = await openTools({
    projectDir: world.projectDir,
    config: createDemoConfig({ ...scratch, pageHost: page.host, collector: collector?.endpoint }),
    workspace: { cwd: world.cwd, roots: [world.cwd, scratch.path] },
    ...(world.approver !== undefined && { approver: world.approver }),
  });
  const prompt = options.prompt ?? createDefaultTask({ pageUrl: page.url, ...scratch });
  showFacts({ paint, out }, [
    ["model", description],
    ["folder", world.cwd],
    ["scratch", scratch.path],
    [
      "tools",
      tools.registry
        .entries()
        .map(({ name }) => name)
        .join(", ") || "none",
    ],
    ["record", `${scratch.record}: one line for each call`],
    ["metrics", `${findMetrics(tools) ?? "none"} while this runs`],
    ...(collector === undefined ? [] : [["traces", `sent to ${collector.shown}`] as const]),
    ["asking", world.approver === undefined ? "nobody is there: unsafe calls are refused" : "unsafe calls ask you"],
    ["task", prompt],
  ]);
  out.line("");
  const tally = countCalls(tools.activity);
  tools.activity.subscribe("*", createTerminalRenderer({ paint, writeLine: out.line }));
  const outcome = await runAgent({
    model,
    tools,
    prompt,
    instructions: toInstructions(world.cwd, scratch.path),
    signal: world.signal,
    onText: (text) => out.text(toPlainText(text)),
  });
  // A call that was stopped has its end to tell before the last line.
  await tools[Symbol.asyncDispose]();
  out.line("");
  out.line(`${toEnding(outcome, paint)} ${paint("dim", `${tally()}, ${showDuration(performance.now() - started)}`)}`);
  showFacts({ paint, out }, [
    ...(existsSync(scratch.report) ? [["report", scratch.report] as const] : []),
    ...(existsSync(scratch.record) ? [["record", `${world.aiw} audit --file ${scratch.record}`] as const] : []),
  ]);
  return outcome.kind === "answered" ? 0 : 1;
}

function showFacts(
  { paint, out }: Pick<Screen, "paint" | "out">,
  facts: readonly (readonly [name: string, text: string])[],
): void {
  for (const [name, text] of facts) out.line(`${paint("bold", name.padEnd(LABEL_WIDTH))} ${toPlainText(text)}`);
}

/** Counts calls as they happen; the function gives the counts in words. */
function countCalls(activity: ActivityStream): () => string {
  const counts = { calls: 0, refused: 0, failed: 0 };
  activity.subscribe("tool_call_start", () => (counts.calls += 1));
  activity.subscribe("error", ({ data }) => {
    const { status } = data.result;
    // Who stopped a call knows that it did not fail.
    if (status !== "cancelled") counts[status === "denied" ? "refused" : "failed"] += 1;
  });
  return () =>
    `${counts.calls} ${counts.calls === 1 ? "call" : "calls"}, ${counts.refused} refused, ${counts.failed} failed`;
}

function toInstructions(cwd: string, scratch: string): string {
  return [
    "You are an agent in a terminal. Use the tools; never claim what no tool result shows.",
    `Relative paths start at ${cwd}. New files belong into ${scratch}.`,
    "A refused call is final: do not repeat it, say that it was refused and why, and go on.",
  ].join("\n");
}

function toEnding(outcome: AgentOutcome, paint: Screen["paint"]): string {
  if (outcome.kind === "answered") return paint("green", "Done.");
  if (outcome.kind === "stopped") return paint("yellow", "Stopped.");
  const reason = toPlainText(outcome.reason).trimEnd();
  return `${paint("red", "Failed:")} ${reason}${/[.!?]$/.test(reason) ? "" : "."}`;
}
