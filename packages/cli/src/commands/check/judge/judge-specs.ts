import { validateSpec, type SpecIssue } from "@aiw/core";
import { toShown } from "../../../output/to-shown.ts";
import type { CheckFinding, Verdict } from "../scorecard.ts";
import type { CheckSubject, ReadManifest } from "../subject.ts";
import { fail, quote } from "./finding.ts";
import { listTools, type RawTool } from "./list-tools.ts";

/** What about a definition is wrong, by the check that is named after it. */
export type SpecTopic = "names" | "descriptions" | "examples" | "effects" | "schemas" | "manifest";

/** Every broken rule of the definitions in a manifest, for one check. */
export function listSpecIssues({ manifest }: CheckSubject, topic: SpecTopic): CheckFinding[] {
  if (manifest === undefined) return [];
  return listTools(manifest).flatMap(({ pointer, name, spec }) =>
    validateSpec(spec)
      .filter((issue) => toTopic(issue) === topic)
      .map((issue) =>
        fail({
          ...(typeof name === "string" && { tool: toShown(name) }),
          file: manifest.file,
          pointer: `${pointer}/spec${toShown(issue.pointer)}`,
          code: topic === "names" ? "tool_name_invalid" : "tool_definition_invalid",
          reason: `${toShown(issue.pointer || "/")} ${issue.message}.`,
          fix: "Correct the tool's definition, then: aiw build",
        }),
      ),
  );
}

/** Names that every provider takes, that are written alike, and that no model could take for each other. */
export function judgeNames(subject: CheckSubject): Verdict {
  const { manifest } = subject;
  if (manifest === undefined) return { skipped: "there is no manifest to read" };
  const named = listTools(manifest).filter((tool): tool is RawTool & { name: string } => typeof tool.name === "string");
  return [
    ...listSpecIssues(subject, "names"),
    ...named
      .filter(({ name }) => /^[A-Za-z_]\w*$/.test(name) && name !== name.toLowerCase())
      .map(({ name, pointer }) =>
        fail({
          tool: name,
          file: manifest.file,
          pointer: `${pointer}/spec/name`,
          reason: `${quote(name)} is not in snake_case, as the tools beside it are.`,
          fix: `Call it ${quote(toSnakeCase(name))}, then: aiw build`,
        }),
      ),
    ...listCollisions(named, manifest),
  ];
}

function listCollisions(tools: readonly (RawTool & { name: string })[], { file }: ReadManifest): CheckFinding[] {
  const folded = Map.groupBy(tools, ({ name }) => name.normalize("NFKC").toLowerCase());
  return [...folded.values()]
    .filter((group) => group.length > 1)
    .map((group) =>
      fail({
        file,
        pointer: "/tools",
        code: "tool_name_collision",
        reason: `A model cannot tell ${group.map(({ name }) => quote(name)).join(" and ")} apart.`,
        fix: "Rename one of them, then: aiw build",
      }),
    );
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

function toTopic({ pointer, message }: SpecIssue): SpecTopic {
  if (pointer === "/name") return "names";
  if (message.startsWith("must not hide")) return "descriptions";
  const [, field = "", second] = pointer.split("/");
  if (field === "description" || field === "title" || (field === "instructions" && second !== "examples"))
    return "descriptions";
  if (field === "instructions") return "examples";
  if (field === "inputSchema" || field === "outputSchema") return "schemas";
  return field === "metadata" && second === "effects" ? "effects" : "manifest";
}
