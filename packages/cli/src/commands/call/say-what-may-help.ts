import type { Principal, ToolRegistry } from "@aiw/core";
import type { CliIo } from "../../io.ts";
import { formatWaiting } from "../../output/format-report.ts";
import { printLine } from "../../output/print.ts";
import { wrapLines } from "../../output/wrap-lines.ts";
import { toFlags } from "../caller/read-caller.ts";

/** What a configuration that nobody trusts would give: approval by rule, options, tools, more time, grants. */
const MAY_WAIT: ReadonlyMap<string, string> = new Map([
  ["approval_required", "/policy/rules/"],
  ["not_configured", "/plugins/"],
  ["options_invalid", "/plugins/"],
  ["timeout", "/limits/"],
  ["isolation_unavailable", "/isolation/"],
  ["blocked_address", "/executors/http/"],
  ["blocked_url", "/executors/http/"],
]);

/** Refusals that another caller may not get. */
const ROLES_DECIDE: ReadonlySet<string> = new Set(["tool_not_offered", "denied_by_policy"]);

/** The call that failed, and where it is said. */
export interface Refused {
  readonly name: string;
  readonly principal: Principal | undefined;
  readonly registry: ToolRegistry;
  readonly io: CliIo;
}

/** Says what the person at the terminal could do about a call that failed with this code. */
export function sayWhatMayHelp(code: string, { registry, io, name, principal }: Refused): void {
  const { report } = registry;
  const say = (text: string): void => printLine(io.stderr, wrapLines(text, io.talkColumns));
  if (code === "approval_required") say("To approve it here: the same command with --yes, or at a terminal.");
  const { extensions } = registry.config;
  if (extensions?.auth !== undefined && ROLES_DECIDE.has(code) && registry.has(name))
    say(sayCallersView(name, principal));
  const pointer = MAY_WAIT.get(code);
  for (const request of report.waiting) {
    const isWanted = pointer !== undefined && request.parts.some((part) => part.startsWith(pointer));
    if (code === "tool_not_found" || (request.subject === "configuration" && isWanted))
      say(formatWaiting(request, io.talkColumns));
  }
}

/** Where to see by which rules the caller is refused. */
function sayCallersView(name: string, principal: Principal | undefined): string {
  const tool = /^[\w@./:-]+$/u.test(name) ? name : JSON.stringify(name);
  if (principal === undefined)
    return "Nobody was named, and roles are configured: --principal ID --role NAME say who calls.";
  return `By which rules: aiw why ${tool} ${toFlags(principal)}`;
}
