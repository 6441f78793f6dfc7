import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ESCAPE_LINK, HAZARDS } from "./fixtures/hazards.ts";
import { filesOf } from "./fixtures/publish-fixtures.ts";
import { installLayout, writeFiles, type InstalledLayout } from "./installed-layout.ts";
import { layoutOf } from "./layouts.ts";
import type { World } from "./world.ts";

/** Installs every hazard beside the nine, as npm does. */
export async function installHazards(world: World): Promise<InstalledLayout> {
  const beside = HAZARDS.map(({ package: { name }, isLinked }) => [name, isLinked === true ? toLink(name) : "^1.0.0"]);
  const installed = await installLayout(layoutOf("npm"), world, {
    beside: Object.fromEntries(beside) as Record<string, string>,
    prepare: writeLinkedHazards,
  });
  // The deadline a host has is long; what never settles takes all of it.
  await writeFiles(installed.dir, { "aiw.config.json": '{ "limits": { "loadTimeoutMs": 4000 } }\n' });
  for (const { package: fixture, isOverwritten } of HAZARDS) {
    const text = fixture.files["package.json"];
    if (isOverwritten !== true || text === undefined) continue;
    await writeFile(join(installed.dir, "node_modules", fixture.name, "package.json"), text);
  }
  return installed;
}

function toLink(name: string): string {
  return `file:../linked/${name}`;
}

/** Folders outside of the project; the link in one of them leads out of it. */
async function writeLinkedHazards(folder: string): Promise<void> {
  for (const { package: fixture, isLinked } of HAZARDS) {
    if (isLinked !== true) continue;
    const home = join(folder, "linked", fixture.name);
    await mkdir(home, { recursive: true });
    await writeFiles(home, filesOf(fixture));
    await symlink(ESCAPE_LINK.target, join(home, ESCAPE_LINK.name));
    await writeFile(join(home, ESCAPE_LINK.target), "{}\n");
  }
}
