// The floor with a promise: the old content or the new, also after a crash.
import { open, readFile, rename } from "node:fs/promises";
import { measureEdits } from "../measure-edits.mjs";

await measureEdits((folder, file) => ({
  async edit(edits) {
    let text = await readFile(file, "utf8");
    for (const { oldText, newText } of edits) text = text.replace(oldText, () => newText);
    await sync(`${file}.new`, "w", (handle) => handle.writeFile(text));
    await rename(`${file}.new`, file);
    await sync(folder, "r");
  },
}));

async function sync(path, flags, work) {
  const handle = await open(path, flags);
  try {
    await work?.(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
