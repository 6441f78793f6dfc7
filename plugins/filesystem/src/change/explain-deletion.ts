import { ToolError } from "@aiw/core";
import { escapeQuoted, quoteName, showName } from "../files/show-name.ts";
import type { DeleteInput } from "./delete-schema.ts";
import { spellCall } from "./spell-call.ts";

const MOST_SAID = 10;

/** One failure for all paths that cannot be deleted: the gravest, with every other beside it and a call that works. */
export function explainDeletion(errors: ReadonlyMap<string, ToolError>, input: DeleteInput): ToolError {
  const [first, ...others] = [...errors.values()].toSorted((left, right) => rank(left) - rank(right));
  if (first === undefined) throw new TypeError("There is no failure to explain.");
  const failed = [...errors].map(([path, { code, message }]) => ({ path, code, message: showName(message) }));
  const more = others.length === 0 ? "" : ` (and ${others.length} more; nothing was deleted)`;
  const suggestion = suggestCall(errors, first, input);
  return new ToolError(first.code, `${showName(first.message)}${more}`, {
    cause: first,
    retryable: first.retryable,
    ...(suggestion !== undefined && { suggestion: escapeQuoted(suggestion) }),
    details: { ...first.details, ...(others.length > 0 && { failed: failed.slice(0, MOST_SAID) }) },
  });
}

/** Refusals for safety come before mistakes. */
function rank({ code }: ToolError): number {
  if (code === "outside_root" || code === "protected_path" || code === "denied_by_policy") return 0;
  return code === "not_found" ? 1 : 2;
}

function suggestCall(errors: ReadonlyMap<string, ToolError>, first: ToolError, input: DeleteInput): string | undefined {
  const isAll = (code: string): boolean => [...errors.values()].every((error) => error.code === code);
  const flags = {
    ...(input.recursive && { recursive: true }),
    ...(input.allow_irreversible && { allow_irreversible: true }),
  };
  const { paths } = input;
  if (isAll("not_a_file")) return spellCall("delete", { paths, ...flags, recursive: true });
  if (isAll("irreversible")) return spellCall("delete", { paths, ...flags, allow_irreversible: true });
  if (!isAll("not_found")) return first.suggestion;
  const there = paths.filter((path) => !errors.has(path));
  if (there.length > 0) return spellCall("delete", { paths: there, ...flags });
  // Another file is never named in a call that deletes: a path that is gone may be gone because it was deleted before.
  const folder = nearestOf(first)?.replace(/[^/\\]+[/\\]?$/u, "") ?? "";
  return `list(path=${quoteName(folder === "" ? "." : folder)})`;
}

function nearestOf({ details = {} }: ToolError): string | undefined {
  const [nearest] = Array.isArray(details["nearest"]) ? details["nearest"] : [];
  return typeof nearest === "string" ? nearest : undefined;
}
