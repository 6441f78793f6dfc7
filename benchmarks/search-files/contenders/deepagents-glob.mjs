import { FilesystemBackend } from "deepagents";
import { measureSearch } from "../measure-search.mjs";

await measureSearch(async (folder, pattern) => {
  const { files, error } = await new FilesystemBackend({ rootDir: folder }).glob(pattern, folder);
  if (error) throw new Error(error);
  return files.length;
});
