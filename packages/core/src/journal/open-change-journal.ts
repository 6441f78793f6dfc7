import { ToolError } from "../errors/tool-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { applyGroup } from "./apply-group.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { createDiskStore } from "./store/disk-store.ts";
import { journalOf, journalsOf, type ChangeJournalOptions } from "./store/journal-folder.ts";
import type { JournalScope } from "./journal-scope.ts";
import type { JournalStore } from "./store/journal-store.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import { lockFolder } from "./store/lock-folder.ts";
import { MOST_KEPT_BYTES } from "./store/path-state.ts";
import { ownProcess } from "./store/process-mark.ts";
import { noticeEarlier } from "./notice-earlier.ts";
import { revertGroup } from "./revert-group.ts";
import { settleInterrupted } from "./settle-interrupted.ts";

/** Groups that are remembered. */
const MOST_GROUPS = 100;

/** Opens the journal of a conversation; nothing is made on disk before the first change. */
export async function openChangeJournal(options: ChangeJournalOptions): Promise<ChangeJournal> {
  const engine = new JournalEngine(options, await openStore(options));
  return {
    apply: async (workspace, request) => await engine.next(async () => await engine.apply(workspace, request)),
    revert: async (workspace, request) => await engine.next(async () => await engine.revert(workspace, request)),
    list: async () => await engine.next(async () => engine.scope.history().list()),
    [Symbol.asyncDispose]: async () => await engine.next(async () => {}),
  };
}

async function openStore({ workspace, sessionId, folder }: ChangeJournalOptions): Promise<JournalStore> {
  const { cwd, roots, history } = workspace;
  if (history === "memory") return createMemoryStore();
  const at = await journalOf(workspace, sessionId, folder);
  return createDiskStore(at, { version: 1, sessionId, cwd, roots, process: ownProcess(), startedAt: Date.now() });
}

class JournalEngine {
  readonly scope: JournalScope;
  #store: JournalStore;
  #isInMemory: boolean;
  /** Whether there may be changes on disk that nobody here knows of. */
  #isUnread = false;
  /** To be told with the next change. */
  #news: string[] = [];
  #saysForgotten = true;
  #looksBack = true;
  readonly #options: ChangeJournalOptions;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeJournalOptions, store: JournalStore) {
    this.#store = store;
    this.#options = options;
    this.#isInMemory = options.workspace.history === "memory";
    if (this.#isInMemory) this.#news.push(`The history of changes is kept ${IN_MEMORY}.`);
    this.scope = {
      roots: options.workspace,
      fileSystem: options.fileSystem,
      history: () => this.#store.history,
      append: async (make, how) => await this.#append(make, how),
      readImage: async (hash) => await this.#store.readImage(hash),
      openImages: () => this.#store.openImages(),
      lockFiles: async () => {
        if (this.#isInMemory) return undefined;
        return await lockFolder(await journalsOf(options.workspace, options.folder)).catch(() => undefined);
      },
    };
  }

  /** One after the other: what one call plans, another would change. */
  async next<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#busy.then(async () => {
      await this.#refresh();
      return await work();
    });
    this.#busy = turn.catch(() => {});
    return await turn;
  }

  async #refresh(): Promise<void> {
    await this.#store.refresh().catch(() => {
      this.#isUnread = true;
      this.#leaveDisk();
    });
  }

  async apply(...[workspace, request]: Parameters<ChangeJournal["apply"]>): ReturnType<ChangeJournal["apply"]> {
    const notices = await this.#lookBack(workspace);
    const outcome = await applyGroup(this.scope, workspace, request);
    notices.push(...outcome.notices, ...(await this.#makeRoom()));
    if (outcome.groupId !== "") notices.push(...this.#news.splice(0));
    await this.#compact();
    return { ...outcome, notices };
  }

  async revert(...[workspace, request]: Parameters<ChangeJournal["revert"]>): ReturnType<ChangeJournal["revert"]> {
    await using lock = request.dryRun === true ? undefined : await this.scope.lockFiles();
    // While it waited, another process may have taken back what it would take back.
    if (lock !== undefined) await this.#refresh();
    try {
      return await revertGroup(this.scope, workspace, request);
    } catch (error) {
      if (!this.#isUnread || !ToolError.is(error) || error.code !== "nothing_to_undo") throw error;
      throw new ToolError(error.code, `${error.message} What is kept on disk cannot be read.`, { cause: error });
    } finally {
      await this.#compact();
    }
  }

  /** Once, before the first change: what ended in the middle is found, and told. */
  async #lookBack(workspace: Workspace): Promise<string[]> {
    if (!this.#looksBack) return [];
    this.#looksBack = false;
    // What is not found now is found by the next conversation.
    const own = await settleInterrupted(this.scope, workspace).catch(() => []);
    const notices = own.map(({ title, groupId }) => {
      return `An earlier change was interrupted (${title}): undo(group_id=${JSON.stringify(groupId)}) takes it back.`;
    });
    return [...notices, ...(await noticeEarlier(this.#options, workspace).catch(() => []))];
  }

  async #append(...[make, how]: Parameters<JournalStore["append"]>): Promise<void> {
    try {
      await this.#store.append(make, how);
    } catch (error) {
      if (this.#isInMemory) throw error;
      this.#leaveDisk();
      await this.#store.append(make, how);
    }
  }

  /** The history goes on in memory where its folder cannot be used. */
  #leaveDisk(): void {
    if (this.#isInMemory) return;
    this.#store = createMemoryStore(this.#store);
    this.#isInMemory = true;
    this.#news.push(`The history of changes cannot be kept on disk: from now on it is ${IN_MEMORY}.`);
  }

  /** A log that stays long is no reason for a change to fail. */
  async #compact(): Promise<void> {
    await this.#store.compact().catch(() => {});
  }

  /** Lets the oldest groups go. */
  async #makeRoom(): Promise<string[]> {
    let isForgotten = false;
    for (; this.#isFull(); isForgotten = true) {
      const groupIds = [...this.scope.history().groups.keys()].slice(0, 1);
      await this.#append(() => ({ type: "forget", groupIds }));
      await this.#store.sweep();
    }
    if (!isForgotten || !this.#saysForgotten) return [];
    this.#saysForgotten = false;
    return ["The history is full: the oldest changes can no longer be taken back."];
  }

  #isFull(): boolean {
    const { groups, packs } = this.scope.history();
    const bytes = [...packs.values()].reduce((sum, size) => sum + size, 0);
    return groups.size > 1 && (groups.size > MOST_GROUPS || bytes > MOST_KEPT_BYTES);
  }
}

const IN_MEMORY = "in memory alone and ends with the conversation";
