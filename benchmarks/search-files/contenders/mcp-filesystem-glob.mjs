// What the server's search_files does, in this process.
import { searchFilesWithValidation, setAllowedDirectories } from "@modelcontextprotocol/server-filesystem/dist/lib.js";
import { measureSearch } from "../measure-search.mjs";

await measureSearch(async (folder, pattern) => {
  setAllowedDirectories([folder]);
  return (await searchFilesWithValidation(folder, pattern, [folder], { excludePatterns: ["built/**"] })).length;
});
