// The floor: a copy of the whole folder, made before, copied back; what anybody changed meanwhile is lost.
import { cp } from "node:fs/promises";
import { measureUndo, writeAll } from "../measure-undo.mjs";

await measureUndo(async (folder) => {
  const backup = `${folder}/../backup`;
  await cp(folder, backup, { recursive: true });
  return { change: writeAll, goBack: async () => await cp(backup, folder, { recursive: true, force: true }) };
});
