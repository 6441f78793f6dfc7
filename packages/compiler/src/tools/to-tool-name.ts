import { TOOL_NAME_PATTERN } from "@aiw/core";
import type { ts } from "@ts-morph/common";
import type { Remark } from "../docs/read-constraints.ts";
import { findTag } from "../docs/read-doc.ts";
import type { Candidate } from "./candidate.ts";

/** A tool's name, and what is wrong with it. */
export interface ToolName {
  readonly name: string;
  readonly fault?: Remark;
}

/** Names a tool: as its decorator or its comment says, or as the code does, in snake_case. */
export function toToolName({ decorator, doc, ownName, node }: Candidate): ToolName {
  const decorated = decorator?.values["name"];
  const tag = findTag(doc, "tool", "name");
  const said = typeof decorated === "string" ? decorated : tag?.text || undefined;
  const name = said ?? toSnakeCase(ownName);
  if (TOOL_NAME_PATTERN.test(name)) return { name };
  return { name, fault: toFault(name, said === undefined || tag === undefined ? node : tag.node) };
}

/** `readFile2` is read_file2 and `HTMLPage` is html_page, as where functions are registered by code. */
function toSnakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

function toFault(name: string, node: ts.Node): Remark {
  const fix = "Write @tool my_name in the comment: letters, digits and _, at most 64, no digit first.";
  if (name === "") {
    return { code: "name_missing", severity: "error", message: "The function has no name.", fix, node };
  }
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  const why = name.length > 64 ? `is ${name.length} characters long` : "has characters that no tool name may have";
  return { code: "name_illegal", severity: "error", message: `${shown} ${why}.`, fix, node };
}
