import type { Project } from "./project.ts";
import { runWell, type RunOptions } from "./run.ts";

/** A call, a file that somebody else writes, or the call that the last failure suggested. */
export type Step =
  | readonly [tool: string, input: object]
  | { readonly disk: string; readonly content: string }
  | { readonly follow: "suggestion" };

/** What became of a step that calls. */
export interface Answer {
  readonly tool: string;
  /** `ok`, or the code of the failure. */
  readonly code: string;
  readonly value?: Record<string, unknown>;
  readonly error?: string;
  readonly suggestion?: string;
  readonly details?: Record<string, unknown>;
  readonly preview?: unknown;
}

/** A host that asks nobody takes the steps one after another in one conversation. */
const TALK = `
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { openTools } from "@aiw/executor/node";

const steps = JSON.parse(await text(process.stdin));
const answers = [];
{
  await using tools = await openTools({ config: { policy: { approval: "never" } } });
  for (const step of steps) {
    if (step.disk !== undefined) {
      await writeFile(step.disk, step.content);
      continue;
    }
    const [tool, input] = step.follow === undefined ? step : readCall(answers.at(-1).suggestion ?? "");
    const result = await tools.executeTool(tool, input);
    const { success, code, value, error, suggestion, details, preview } = result;
    answers.push({ tool, code: success ? "ok" : code, value, error, suggestion, details, preview });
  }
}
console.log(JSON.stringify(answers));

/** Reads what is written as a call: the name, and each argument as JSON. */
function readCall(said) {
  const [opening, tool] = /\\b([a-z_]+)\\(/.exec(said) ?? [];
  if (opening === undefined) throw new Error("No call is suggested: " + said);
  const input = {};
  let rest = said.slice(said.indexOf(opening) + opening.length);
  for (let key = /^(?:, )?(\\w+)=/.exec(rest); key !== null; key = /^(?:, )?(\\w+)=/.exec(rest)) {
    rest = rest.slice(key[0].length);
    const end = [...Array(rest.length).keys()].find((at) => /[,)]/.test(rest[at]) && isJson(rest.slice(0, at)));
    input[key[1]] = JSON.parse(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [tool, input];
}

function isJson(said) {
  try {
    JSON.parse(said);
    return true;
  } catch {
    return false;
  }
}
`;

/** Takes the steps in a process of the project's own; gives what became of each that calls. */
export async function talk(
  project: Project,
  steps: readonly Step[],
  options: Partial<RunOptions> = {},
): Promise<Answer[]> {
  const script = await project.write("talk.mjs", TALK);
  const { stdout } = await runWell(process.execPath, [script], {
    cwd: project.dir,
    ...options,
    input: JSON.stringify(steps),
  });
  return JSON.parse(stdout) as Answer[];
}

/** What became of the steps, in short. */
export function codesOf(answers: readonly Answer[]): string[] {
  return answers.map(({ tool, code }) => `${tool} ${code}`);
}
