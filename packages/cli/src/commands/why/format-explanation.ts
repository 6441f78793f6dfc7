import type { ShadowedName } from "@aiw/core";
import { formatFact, formatFinding } from "../../output/format-report.ts";
import type { ExplainedOffer, ExplainedPackage, ExplainedTool, Explanation, NameState } from "./explanation.ts";

const RULES: Readonly<Record<ShadowedName["rule"], string>> = {
  explicit: "it was registered in code",
  prefer: "tools.prefer says so",
  order: "packages come in the order of their names",
  source: "installed packages come before directories",
};

const FORMS: Readonly<Record<ExplainedPackage["form"], string>> = {
  manifest: "a static manifest: nothing runs before a call",
  map: "a map of its tools: code runs to tell their definitions",
  module: "a module: code runs to tell its tools",
};

/** Why nothing answers, as the end of a sentence that begins with the name. */
const STATES: Readonly<Record<Exclude<NameState, "tool" | "package">, string>> = {
  disabled: "is switched off.",
  not_enabled: "is installed and not enabled.",
  waits_for_trust: "would run code of this project, which waits until you trust it.",
  rejected: "cannot be used.",
  not_installed: "is not installed.",
  no_tools: "is a dependency that declares no tools.",
  unknown: "is no tool and no package of this project.",
};

const LABELS: Readonly<Record<keyof typeof STATES, string>> = {
  disabled: "disabled",
  not_enabled: "inactive",
  waits_for_trust: "waiting",
  rejected: "rejected",
  not_installed: "missing",
  no_tools: "no tools",
  unknown: "nothing",
};

/** How it is told. */
export interface ExplanationStyle {
  readonly width: number | undefined;
  /** The caller in words, where one was named. */
  readonly caller: string;
}

/** The explanation for a person: the answer first, then its reasons. */
export function formatExplanation(explanation: Explanation, { width, caller }: ExplanationStyle): string {
  const { tool, package: found, contest, findings, state, nearest, project, offer } = explanation;
  const fact = (label: string, text: string): string => formatFact(label, text, width);
  const notes = findings.filter(({ code }) => code !== "name_shadowed");
  return [
    state === "tool" || state === "package" ? [] : [fact(LABELS[state], sayNothing(explanation, STATES[state]))],
    nearest.length === 0 ? [] : [fact("nearest", nearest.join(", "))],
    tool === null ? [] : sayTool(tool).map(([label, text]) => fact(label, text)),
    offer === undefined ? [] : sayOffer(offer, caller).map(([label, text]) => fact(label, text)),
    contest === null || tool === null ? [] : sayContest(contest, tool.id).map(([label, text]) => fact(label, text)),
    found === null ? [] : sayPackage(found).map(([label, text]) => fact(label, text)),
    [fact("project", project)],
    notes.map((finding) => formatFinding(finding.severity, finding, width)),
  ]
    .flat()
    .join("\n");
}

function sayNothing({ name, nearest, state, findings }: Explanation, why: string): string {
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
  const hint =
    state === "unknown" && nearest.length === 0 && findings.length === 0 ? " All of them: aiw list --all" : "";
  return `${shown} ${why}${hint}`;
}

type Fact = readonly [label: string, text: string];

function sayTool({ id, version, source, callAs }: ExplainedTool): Fact[] {
  return [
    ["tool", version === null ? id : `${id} (${version})`],
    ...(source === "package" ? [] : [["source", source] as const]),
    ["call", callAs.map((name) => `aiw call ${name}`).join(", or ")],
  ];
}

/** Whether, then each rule that decides it. */
function sayOffer({ offered, byDefault, rules }: ExplainedOffer, caller: string): Fact[] {
  if (byDefault === null) return [["offered", `to ${caller}, as to everybody: extensions.auth is not configured`]];
  const others = {
    allow: "what no rule speaks of is allowed",
    ask: "what no rule speaks of is asked about",
    deny: rules.length === 0 ? "no rule for this caller speaks of it" : "what no rule allows is denied",
  }[byDefault];
  return [
    ["offered", `${offered ? "to" : "not to"} ${caller}: ${others}`],
    ...rules.map((rule): Fact => ["rule", sayRule(rule)]),
  ];
}

const VERBS = { allow: "allows", ask: "asks about", deny: "denies" } as const;

function sayRule({ rule, decision, parameters, reason }: ExplainedOffer["rules"][number]): string {
  const what = parameters.length === 0 ? "every call" : `calls with certain values of ${parameters.join(", ")}`;
  return `${rule} ${VERBS[decision]} ${what}${reason === undefined ? "" : `: ${reason}`}`;
}

function sayPackage({ id, version, dir, source, form, tools, wanted }: ExplainedPackage): Fact[] {
  return [
    ["package", [id, version].filter(Boolean).join(" ")],
    ...(source === "package" ? [["wanted", sayWanted(wanted)] as const] : []),
    ["folder", dir],
    ["declared", FORMS[form]],
    ["tools", tools === null ? "known once its code was loaded" : tools.join(", ") || "none that can be used"],
  ];
}

function sayWanted(wanted: ExplainedPackage["wanted"]): string {
  if (wanted === null) return "by configuration or as the project itself, by no dependency of its package.json";
  return `${wanted.range} in ${wanted.field}`;
}

function sayContest({ name, winner, losers, rule }: ShadowedName, id: string): Fact[] {
  const say = ({ id: other, version }: ShadowedName["winner"]): string =>
    version === undefined ? other : `${other} (${version})`;
  if (winner.id !== id) return [["hidden", `${name} is ${say(winner)}, because ${RULES[rule]}`]];
  return [
    ["answers", `to ${name}, because ${RULES[rule]}`],
    ["hides", losers.map(say).join(", ")],
  ];
}
