// What the server's read_text_file does, in this process: it knows the first lines of a file, so the last of them are wanted.
import { headFile } from "@modelcontextprotocol/server-filesystem/dist/lib.js";
import { measureReads } from "../measure-reads.mjs";

await measureReads(async (file, offset, limit) => {
  const lines = (await headFile(file, offset - 1 + limit)).split("\n");
  return lines.slice(offset - 1).join("\n");
});
