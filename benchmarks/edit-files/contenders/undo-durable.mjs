// The floor with a promise: each file goes back whole, also if the machine stops in between.
import { cp, open, readFile, rename } from "node:fs/promises";
import { measureUndo, writeAll } from "../measure-undo.mjs";

await measureUndo(async (folder) => {
  const backup = `${folder}/../backup`;
  await cp(folder, backup, { recursive: true });
  return {
    change: writeAll,
    async goBack(files) {
      for (const { path } of files) {
        const content = await readFile(backup + path.slice(folder.length));
        const handle = await open(`${path}.new`, "wx");
        await handle.writeFile(content);
        await handle.sync();
        await handle.close();
        await rename(`${path}.new`, path);
      }
    },
  };
});
