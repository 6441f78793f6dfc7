import type { SessionKey } from "../contract/tool-context.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { openChangeJournal } from "./open-change-journal.ts";

/** The journal of a conversation: `const journal = await context.session.get(changeJournal)`. */
export const changeJournal: SessionKey<ChangeJournal> = Object.freeze<SessionKey<ChangeJournal>>({
  name: "@aiw/core/change-journal",
  create: ({ workspace, sessionId }) => openChangeJournal({ workspace, sessionId }),
  dispose: async (journal) => await journal[Symbol.asyncDispose](),
});
