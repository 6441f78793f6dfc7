import type { DiscoveryCode, DiscoveryReport, Finding } from "@aiw/core";

/** Why a tool that somebody names is not there, for a model. */
export interface Absence {
  /** The key of its package. */
  readonly owner: string;
  readonly reason: string;
  /** What its operator can do. */
  readonly suggestion: string;
  readonly finding: DiscoveryCode;
}

/** What a lock holds back may say anything, and differences repeat it: a model hears none of it. */
const HELD: ReadonlyMap<DiscoveryCode, string> = new Map([
  ["lock_drift", "it is not what aiw.lock pins."],
  ["lock_missing", "aiw.lock does not pin it."],
]);

const ASK_OPERATOR = "Do without it; who runs this host can look at it with: aiw lock --check";

/** Says what the report knows of a name, or full id, that no tool answers to. */
export function explainAbsence(report: DiscoveryReport, name: string): Absence | undefined {
  const known = findReason(report, name);
  if (known === undefined) return undefined;
  const { package: owner, code, reason, fix } = known;
  const held = HELD.get(code);
  return {
    owner,
    reason: held ?? reason,
    suggestion: held === undefined ? fix : ASK_OPERATOR,
    finding: code,
  };
}

/** What is said of the tool comes before what is said of its package, and that before what its project says beside. */
function findReason({ rejected, notEnabled, missing }: DiscoveryReport, name: string): Finding | undefined {
  const gone = missing.filter(({ code }) => HELD.has(code));
  const about = [...rejected, ...notEnabled, ...gone].filter((finding) => isAbout(finding, name));
  return about.find(({ tool }) => tool !== undefined) ?? about.find(({ version }) => version !== undefined) ?? about[0];
}

/** A finding about a whole package is about each tool it names, and every one that somebody names by its full id. */
function isAbout({ tool, tools = [], package: owner }: Finding, name: string): boolean {
  if (tool !== undefined) return tool === name || `${owner}/${tool}` === name;
  return tools.includes(name) || (owner !== "" && name.startsWith(`${owner}/`));
}
