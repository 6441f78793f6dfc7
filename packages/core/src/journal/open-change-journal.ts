import type { Workspace } from "../workspace/workspace.ts";
import { applyGroup } from "./apply-group.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { createDiskStore } from "./store/disk-store.ts";
import { journalOf, type ChangeJournalOptions } from "./store/journal-folder.ts";
import type { JournalScope } from "./journal-scope.ts";
import type { JournalStore } from "./store/journal-store.ts";
import { createMemoryStore } from "./store/memory-store.ts";
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
    revert: async (workspace, request) =>
      await engine.next(async () => await revertGroup(engine.scope, workspace, request)),
    list: async () => await engine.next(async () => engine.scope.history().list()),
    [Symbol.asyncDispose]: async () => await engine.next(async () => {}),
  };
}

async function openStore({ workspace, sessionId, folder, history }: ChangeJournalOptions): Promise<JournalStore> {
  if (history === "memory") return createMemoryStore();
  const { cwd, roots } = workspace;
  const at = await journalOf(workspace, sessionId, folder);
  return createDiskStore(at, { version: 1, sessionId, cwd, roots, process: ownProcess(), startedAt: Date.now() });
}

class JournalEngine {
  readonly scope: JournalScope;
  #store: JournalStore;
  #isInMemory: boolean;
  #saysMemory: boolean;
  #saysForgotten = true;
  #looksBack = true;
  readonly #options: ChangeJournalOptions;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeJournalOptions, store: JournalStore) {
    this.#store = store;
    this.#options = options;
    this.#isInMemory = options.history === "memory";
    this.#saysMemory = this.#isInMemory;
    this.scope = {
      roots: options.workspace,
      fileSystem: options.fileSystem,
      history: () => this.#store.history,
      append: async (make, how) => await this.#append(make, how),
      readImage: async (hash) => await this.#store.readImage(hash),
      openImages: () => this.#store.openImages(),
    };
  }

  /** One after the other: what one call plans, another would change. */
  async next<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#busy.then(async () => {
      await this.#store.refresh().catch(() => this.#leaveDisk());
      return await work();
    });
    this.#busy = turn.catch(() => {});
    return await turn;
  }

  async apply(...[workspace, request]: Parameters<ChangeJournal["apply"]>): ReturnType<ChangeJournal["apply"]> {
    const notices = await this.#lookBack(workspace);
    const outcome = await applyGroup(this.scope, workspace, request);
    notices.push(...outcome.notices, ...(await this.#makeRoom()));
    if (this.#saysMemory && outcome.groupId !== "") {
      this.#saysMemory = false;
      notices.push("The history of changes is kept in memory alone and ends with the conversation.");
    }
    return { ...outcome, notices };
  }

  /** Once, before the first change: what ended in the middle is found, and told. */
  async #lookBack(workspace: Workspace): Promise<string[]> {
    if (!this.#looksBack) return [];
    this.#looksBack = false;
    try {
      const own = await settleInterrupted(this.scope, workspace);
      const notices = own.map(({ title, groupId }) => {
        return `An earlier change was interrupted (${title}): undo(group_id=${JSON.stringify(groupId)}) takes it back.`;
      });
      return this.#isInMemory ? notices : [...notices, ...(await noticeEarlier(this.#options, workspace))];
    } catch {
      // What is not found now is found by the next conversation.
      return [];
    }
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
    this.#saysMemory = true;
  }

  /** Lets the oldest groups go. */
  async #makeRoom(): Promise<string[]> {
    const history = this.scope.history();
    const dropped: string[] = [];
    for (;;) {
      const bytes = [...history.packs.values()].reduce((sum, size) => sum + size, 0);
      const [oldest] = history.groups.keys();
      if (oldest === undefined || history.groups.size <= 1) break;
      if (history.groups.size <= MOST_GROUPS && bytes <= MOST_KEPT_BYTES) break;
      dropped.push(oldest);
      await this.#append(() => ({ type: "forget", groupIds: [oldest] })).catch(() => {});
      await this.#store.sweep();
    }
    if (dropped.length === 0 || !this.#saysForgotten) return [];
    this.#saysForgotten = false;
    return ["The history is full: the oldest changes can no longer be taken back."];
  }
}
