// What the server's edit_file does, in this process: no message is paid for.
import { applyFileEdits } from "@modelcontextprotocol/server-filesystem/dist/lib.js";
import { measureEdits } from "../measure-edits.mjs";

await measureEdits((_folder, file) => ({ edit: async (edits) => await applyFileEdits(file, edits) }));
