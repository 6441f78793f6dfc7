import type { ReadManifest } from "../subject.ts";
import { membersOf } from "./finding.ts";

/** A tool as the manifest has it, right or wrong. */
export interface RawTool {
  /** In the manifest. */
  readonly pointer: string;
  readonly name: unknown;
  readonly spec: unknown;
  /** Code runs it; a tool that is data may be written by hand. */
  readonly isCode: boolean;
  /** The hash that was written with it. */
  readonly recorded: unknown;
}

/** Everything a manifest lists. */
export function listTools({ value }: ReadManifest): RawTool[] {
  const tools: unknown[] = Array.isArray(value["tools"]) ? value["tools"] : [];
  return tools.map((tool, index) => {
    const members = new Map(membersOf(tool));
    const spec = members.get("spec");
    const name = new Map(membersOf(spec)).get("name");
    const isCode = members.get("module") !== undefined;
    return { pointer: `/tools/${index}`, name, spec, isCode, recorded: members.get("definitionHash") };
  });
}
