// It takes plain text.
import { FilesystemBackend } from "deepagents";
import { findRipgrep, measureSearch } from "../measure-search.mjs";

await findRipgrep();
await measureSearch(async (folder, pattern) => {
  const { matches, error } = await new FilesystemBackend({ rootDir: folder }).grep(pattern, folder);
  if (error) throw new Error(error);
  return matches.length;
});
