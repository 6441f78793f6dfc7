import { parse } from "yaml";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";

const FILE = /^\.github\/workflows\/[^/]+\.ya?ml$/u;

/** An action by the commit it is, with the version that commit has for whoever reads it. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u;

type Permissions = string | Readonly<Record<string, string>> | undefined;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Permissions;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on?: unknown;
  readonly permissions?: Permissions;
  readonly jobs?: Readonly<Record<string, Job>>;
}

/** Finds workflows that a moved tag, a strange pull request or a careless step could turn against us. */
export function checkWorkflows(repo: Repo): Finding[] {
  return repo.files.filter((file) => FILE.test(file)).flatMap((file) => judgeFile(file, repo.read(file) ?? ""));
}

function judgeFile(file: string, text: string): Finding[] {
  let workflow: Workflow;
  try {
    workflow = (parse(text) ?? {}) as Workflow;
  } catch (error) {
    const repair = `Correct it: ${error instanceof Error ? error.message : String(error)}`;
    return [{ file, rule: "workflows are YAML", repair }];
  }
  const rule = "workflows run pinned actions with the least permissions";
  const jobs = Object.entries(workflow.jobs ?? {});
  const repairs = [
    ...judgeText(text),
    ...judgeTriggers(workflow.on),
    ...(JSON.stringify(workflow.permissions) === '{"contents":"read"}'
      ? []
      : ["Begin with `permissions: { contents: read }`; a job asks for more."]),
    ...jobs.flatMap(([name, job]) => judgeJob(job).map((repair) => `${name}: ${repair}`)),
  ];
  return repairs.map((repair) => ({ file, rule, repair }));
}

function judgeText(text: string): string[] {
  const unpinned = text.split("\n").filter((line) => /^\s*(?:- )?uses:/u.test(line) && !PINNED.test(line));
  const repairs = unpinned.map((line) => `Pin \`${line.trim()}\` by commit, with its version as a comment: # v1.2.3.`);
  if (/\bsecrets\b/u.test(text)) repairs.push("Use no secrets: the job's own token and identity are enough.");
  return repairs;
}

function judgeTriggers(on: unknown): string[] {
  const names = typeof on === "string" ? [on] : Array.isArray(on) ? (on as unknown[]) : Object.keys(on ?? {});
  return names
    .filter((name) => name === "pull_request_target" || name === "workflow_run")
    .map((name) => `Do not run on ${String(name)}: what strangers propose would run with our permissions.`);
}

function judgeJob({ permissions = {}, steps = [], "timeout-minutes": minutes }: Job): string[] {
  const repairs: string[] = [];
  if (minutes === undefined) repairs.push("Say timeout-minutes.");
  if (typeof permissions === "string") repairs.push("Name each permission.");
  const writes = Object.entries(permissions).flatMap(([name, value]) => (value === "write" ? [name] : []));
  const publishes = writes.includes("id-token");
  if (publishes && writes.length > 1) repairs.push("A job that publishes writes nothing else: take id-token apart.");
  if (publishes && steps.some(({ run = "" }) => /\.ci\/run|\bbuild\b|\binstall\b(?!.*--ignore-scripts)/u.test(run)))
    repairs.push("A job that publishes builds and tests nothing, and installs with --ignore-scripts.");
  return [...repairs, ...steps.flatMap(judgeStep)];
}

function judgeStep({ uses = "", run = "", with: settings = {} }: Step): string[] {
  const repairs: string[] = [];
  if (run.includes("${{")) repairs.push("Hand values to `run` by `env`: expressions become part of the script.");
  if (uses.startsWith("actions/checkout@") && settings["persist-credentials"] !== false)
    repairs.push("Check out with `persist-credentials: false`; a step that pushes takes the token by `env`.");
  return repairs;
}
