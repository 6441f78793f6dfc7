import path from "node:path";
import { FilesystemBackend } from "deepagents";
import { measureReads } from "../measure-reads.mjs";

await measureReads(async (file, offset, limit) => {
  const backend = new FilesystemBackend({ rootDir: path.dirname(file), maxFileSizeMb: 100 });
  // It counts lines from 0.
  const { content, error } = await backend.read(file, offset - 1, limit);
  if (error) throw new Error(error);
  return content;
});
