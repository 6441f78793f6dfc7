import { deepStrictEqual, ok } from "node:assert/strict";
import {
  executeCall,
  ToolError,
  validateCall,
  type JsonObject,
  type Tool,
  type ToolContext,
  type ValidatedCall,
} from "@aiw/core";
import { fakeContext } from "../fake-context.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../workspace/temporary-workspace.ts";
import type { WorkspaceChanges } from "../workspace/workspace-changes.ts";
import { assertPreview } from "./assert-preview.ts";
import { nameCheck, type ContractCheck } from "./contract-check.ts";
import type { ContractOptions } from "./contract-subject.ts";
import { findUnsaid } from "./find-unsaid.ts";
import { EXAMPLE_MS, findRunnable, isSameOutcome, runExample, toOutcome, type ExampleRun } from "./run-examples.ts";

/** Runs of one example that must agree before a difference counts against the tool: time and chance differ by themselves. */
const CONFIRMATIONS = 10;

/** What an example did and left behind. */
interface FirstRuns {
  readonly runs: readonly ExampleRun[];
  readonly changes: WorkspaceChanges;
  /** What all code of the process has in common, and is another now. */
  readonly global: readonly string[];
}

/** What a tool does when its examples run; none for a tool that could do more than read this machine. */
export function exampleChecks(tool: Tool, options: ContractOptions): ContractCheck[] {
  if (options.examples === "validate" || !isHarmless(tool)) return [];
  if ((tool.spec.instructions?.examples ?? []).length === 0) return [];
  let first: Promise<FirstRuns> | undefined;
  const firstRuns = (): Promise<FirstRuns> => (first ??= runOnce(tool, options));
  return [
    nameCheck(tool, "keeps its promises when its examples run", async () => {
      for (const run of (await firstRuns()).runs) assertRun(run);
    }),
    nameCheck(tool, "leaves the workspace as it was when its examples run", async () => {
      const { changes, global } = await firstRuns();
      deepStrictEqual(
        changes,
        { added: [], changed: [], removed: [] },
        `The effects say readOnly, and the workspace changed: ${JSON.stringify(changes)}. Say the effects as they are.`,
      );
      ok(
        global.length === 0,
        `It changed ${global.join(", ")}, which every tool and the host share. Give what a child process needs to that process alone.`,
      );
    }),
    ...(tool.preview === undefined
      ? []
      : [
          nameCheck(tool, "previews what its examples give as lines", async () => {
            for (const { result } of (await firstRuns()).runs) assertPreview(tool, result);
          }),
        ]),
    nameCheck(tool, "keeps calls apart that run at once", async () => {
      await keepsCallsApart(tool, options);
    }),
    nameCheck(tool, "ends when its call is cancelled", async () => {
      await using workspace = await temporaryWorkspace(options.files);
      for (const input of await findRunnable(tool, options.options))
        await endsAtAbort(tool, input, { workspace, options });
    }),
  ];
}

/** Only what reads this machine is run unasked: nothing else is known to be repeatable, free, or wanted by anybody. */
function isHarmless({ spec: { type, metadata } }: Tool): boolean {
  const { readOnly, destructive, openWorld } = metadata.effects;
  const reach = ["net", "process", "fs:write"].some((permission) => metadata.permissions.includes(permission));
  return type === "function" && readOnly && !destructive && !openWorld && !reach && metadata.requiresApproval !== true;
}

async function runOnce(tool: Tool, { options, files }: ContractOptions): Promise<FirstRuns> {
  await using workspace = await temporaryWorkspace(files);
  const runs: ExampleRun[] = [];
  const before = readGlobals();
  for (const input of await findRunnable(tool, options))
    runs.push(await runExample(tool, input, { workspace, options }));
  const after = readGlobals();
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const global = names.filter((name) => before.get(name) !== after.get(name));
  return { runs, changes: await workspace.changes(), global };
}

function readGlobals(): ReadonlyMap<string, string | undefined> {
  const variables = Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const);
  return new Map([["process.cwd()", process.cwd()], ...variables]);
}

/** An example may fail, since its files may not be there; it may not fail without words for the model. */
function assertRun({ input, result }: ExampleRun): void {
  const call = JSON.stringify(input);
  if (result.success) {
    const unsaid = findUnsaid(result.value);
    ok(
      unsaid === undefined,
      `Example ${call}: ${unsaid}, which no model is told. Return data: text, numbers, lists, plain objects.`,
    );
    return;
  }
  const said = `Example ${call}: ${result.error}`;
  ok(
    result.code !== "internal_error",
    `${said}\nThrow a ToolError(code, message, { suggestion }) for what can go wrong.`,
  );
  ok(result.code !== "invalid_output", `${said}\nReturn what outputSchema says, or correct it.`);
  ok(
    result.status !== "timed_out" && result.settled,
    `${said}\nGive an example that ends within ${EXAMPLE_MS} ms, and pass context.signal to what the tool waits for.`,
  );
  ok(
    /^[a-z][a-z0-9_]*$/.test(result.code),
    `${said}\nThe code ${JSON.stringify(result.code)} is not lower_snake_case.`,
  );
}

async function keepsCallsApart(tool: Tool, { options, files }: ContractOptions): Promise<void> {
  await using workspace = await temporaryWorkspace(files);
  const run = (input: JsonObject): Promise<ExampleRun> => runExample(tool, input, { workspace, options });
  const alone: ExampleRun[] = [];
  for (const input of await findRunnable(tool, options)) alone.push(await run(input));
  const together = await Promise.all([...alone, ...alone].map(({ input }) => run(input)));
  for (const [index, one] of together.entries()) {
    const expected = alone[index % alone.length];
    if (expected === undefined || isSameOutcome(one, expected) || (await variesByItself(expected, run))) continue;
    deepStrictEqual(
      toOutcome(one),
      toOutcome(expected),
      `${tool.spec.name}(${JSON.stringify(one.input)}) gives something else while other calls run. Keep what belongs to a call in variables of execute, not in the tool or its module; what belongs to a conversation in context.session.`,
    );
  }
}

async function variesByItself(expected: ExampleRun, run: (input: JsonObject) => Promise<ExampleRun>): Promise<boolean> {
  for (let count = 0; count < CONFIRMATIONS; count += 1)
    if (!isSameOutcome(await run(expected.input), expected)) return true;
  return false;
}

/** Aborts as soon as the tool has begun, which is the earliest a tool can notice. */
async function endsAtAbort(
  tool: Tool,
  input: JsonObject,
  { workspace, options: { options } }: { readonly workspace: TemporaryWorkspace; readonly options: ContractOptions },
): Promise<void> {
  const cancel = new AbortController();
  const call = await validateCall(tool, input, options);
  await using fake = fakeContext({ workspace, options: call.options, signal: cancel.signal });
  const run = (begun: ValidatedCall, context: ToolContext): unknown => {
    const output: unknown = begun.tool.execute(begun.arguments, context as ToolContext<unknown>);
    cancel.abort();
    return output;
  };
  try {
    await executeCall(call, fake.context, { run });
  } catch (error) {
    // What else it throws, the check of its examples tells.
    ok(
      !ToolError.is(error) || error.settled,
      `${tool.spec.name}(${JSON.stringify(input)}) still ran 2 seconds after its call was cancelled. Pass context.signal to what it waits for, and ask signal.aborted before a long step.`,
    );
  }
}
