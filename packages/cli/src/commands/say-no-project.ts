import { delimiter } from "node:path";
import type { DiscoveryReport } from "@aiw/core";
import type { CliIo } from "../io.ts";
import { oneLine } from "../output/one-line.ts";

/** The way out for whoever is in no project. */
export const MAKE_PROJECT = "Make one here: npm init -y, or go to one: --cwd DIR";

/** What is to be done where there is no project, and why; folders of tools that the environment names take its place. */
export function sayNoProject(
  { project, found }: Pick<DiscoveryReport, "project" | "found">,
  { environment }: Pick<CliIo, "environment">,
): { readonly reason: string; readonly fix: string } {
  const place = oneLine(project.dir);
  const named = environment["AIWHISPERER_PLUGINS_DIR"]?.split(delimiter).filter((dir) => dir !== "") ?? [];
  if (named.length === 0) return { reason: `${place} is in no project.`, fix: MAKE_PROJECT };
  const folders = `AIWHISPERER_PLUGINS_DIR (${named.map(oneLine).join(", ")})`;
  const hasTools = found.some(({ tools }) => tools === undefined || tools.length > 0);
  return hasTools
    ? { reason: `Looked in ${folders}.`, fix: "All of them: aiw list" }
    : {
        reason: `No tools are in ${folders}.`,
        fix: "Build them first, or start aiw dev; why something is left out: aiw doctor",
      };
}
