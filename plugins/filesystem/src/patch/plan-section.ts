import type { PatchSection } from "./patch-file.ts";
import { planAdd } from "./plan-add.ts";
import { planDelete } from "./plan-delete.ts";
import { planUpdate } from "./plan-update.ts";
import type { PlannedSection, SectionScope } from "./planned-section.ts";

/**
 * Says what a section changes, and shows it to the sections after it; nothing is written.
 * @throws ToolError or `HunksFailed` when it cannot be applied.
 */
export async function planSection(section: PatchSection, scope: SectionScope): Promise<PlannedSection> {
  await scope.files.assertWritable(section.path);
  if (section.op === "add") return await planAdd(section, scope);
  if (section.op === "delete") return await planDelete(section, scope);
  return await planUpdate(section, scope);
}
