import { defineTool, defineToolPackage, sessionKey, ToolError } from "@aiw/core";
import { z } from "zod";

const options = z.object({
  max_notes: z.int().min(1).default(100).describe("Notes one conversation may keep."),
});

const notebook = sessionKey("first-tools/notebook", {
  create: () => new Map<string, string>(),
  dispose: (notes) => notes.clear(),
});

export const remember = defineTool({
  name: "remember",
  description: "Keeps a note for the rest of this conversation.",
  options,
  input: z.strictObject({
    title: z.string().min(1).describe("What to find the note by."),
    text: z.string().describe("The note."),
  }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  async execute({ title, text }, { session, options: { max_notes } }) {
    const notes = await session.get(notebook);
    if (!notes.has(title) && notes.size >= max_notes) {
      throw new ToolError("too_large", `The notebook is full: ${max_notes} notes.`, {
        suggestion: `remember(title=${JSON.stringify([...notes.keys()][0])}, text="…")`,
      });
    }
    notes.set(title, text);
    return { notes: notes.size };
  },
});

export const recall = defineTool({
  name: "recall",
  description: "Gives back a note kept with remember.",
  input: z.strictObject({ title: z.string().describe("The title it was kept under.") }),
  effects: "read",
  async execute({ title }, { session }) {
    const notes = await session.get(notebook);
    const text = notes.get(title);
    if (text !== undefined) return { text };
    throw new ToolError("not_found", `No note is called ${JSON.stringify(title)}.`, {
      details: { titles: [...notes.keys()].slice(0, 20) },
    });
  },
});

export default defineToolPackage({ options, tools: [remember, recall] });
