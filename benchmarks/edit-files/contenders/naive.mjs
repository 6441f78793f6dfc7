// The floor: read, replace, write; nothing is checked, and a crash in between leaves half a file.
import { readFile, writeFile } from "node:fs/promises";
import { measureEdits } from "../measure-edits.mjs";

await measureEdits((_folder, file) => ({
  async edit(edits) {
    let text = await readFile(file, "utf8");
    for (const { oldText, newText } of edits) text = text.replace(oldText, () => newText);
    await writeFile(file, text);
  },
}));
