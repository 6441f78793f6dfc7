import type { ReadManifest } from "../subject.ts";
import { membersOf } from "./finding.ts";

/** A tool as the manifest has it, right or wrong. */
export interface RawTool {
  /** In the manifest. */
  readonly pointer: string;
  readonly name: unknown;
  readonly spec: unknown;
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
    return { pointer: `/tools/${index}`, name, spec, recorded: members.get("definitionHash") };
  });
}
