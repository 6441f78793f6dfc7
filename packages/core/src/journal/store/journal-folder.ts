import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceRoots } from "../../contract/tool-context.ts";
import type { FileSystemPort } from "../../confine/file-system-port.ts";
import { findStateFolder } from "../../confine/state-folder.ts";

/** Where a journal is kept, and whose changes it holds. */
export interface ChangeJournalOptions {
  readonly workspace: WorkspaceRoots;
  readonly sessionId: string;
  /** Where journals are kept; in the folder of aiw's state unless given. */
  readonly folder?: string;
  /** The workspace's disk, for what is put back; the real one unless given. */
  readonly fileSystem?: FileSystemPort;
}

/** The folder of all journals of a workspace: of its working directory, since roots may come and go with what is trusted. */
export async function journalsOf({ cwd }: Pick<WorkspaceRoots, "cwd">, folder?: string): Promise<string> {
  const real = await realpath(cwd).catch(() => cwd);
  return join(folder ?? join(findStateFolder(), "journal"), nameOf(real));
}

/** The folder of one conversation's journal. */
export async function journalOf(workspace: WorkspaceRoots, sessionId: string, folder?: string): Promise<string> {
  return join(await journalsOf(workspace, folder), nameOf(sessionId));
}

function nameOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
