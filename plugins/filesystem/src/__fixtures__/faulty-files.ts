import type * as promises from "node:fs/promises";

type Files = typeof promises;
type Work = (...args: unknown[]) => unknown;

/** Decides what becomes of a call: an errno makes it fail, nothing lets it pass. */
export type Fate = (call: { readonly number: number; readonly name: string }) => string | undefined;

let fate: Fate | undefined;
let calls = 0;
const opened = new Set<object>();

/** Lets every call of the disk have its fate while work runs; tells how many calls there were and how many handles stayed open. */
export async function withFate<Result>(
  decide: Fate,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly calls: number; readonly left: number }> {
  opened.clear();
  calls = 0;
  fate = decide;
  try {
    const result = await work();
    return { result, calls, left: opened.size };
  } finally {
    fate = undefined;
  }
}

/** `node:fs/promises` whose calls, those of handles and listings too, have a fate; for `vi.mock`. */
export function toFaultyFiles(real: Files): Files {
  const wrapped = Object.entries(real).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === "function" && /^[a-z]/u.test(name) ? guard(name, value as Work, real) : value];
  });
  const files = Object.fromEntries(wrapped) as Files;
  return Object.assign(files, { default: files });
}

function guard(name: string, work: Work, owner: object): Work {
  return async (...args) => {
    const errno = ask(name);
    if (errno !== undefined) {
      // A close that fails closes all the same.
      if (name.endsWith(".close")) await close(work, owner);
      throw Object.assign(new Error(`${errno}: injected, ${name}`), { code: errno, syscall: name });
    }
    if (name === "handle.close") return await close(work, owner);
    const result = await Reflect.apply(work, owner, args);
    if (name === "open") return guardAll("handle", result as object);
    return name === "opendir" ? guardAll("dir", result as object) : result;
  };
}

function ask(name: string): string | undefined {
  if (fate === undefined) return undefined;
  calls += 1;
  return fate({ number: calls, name });
}

async function close(work: Work, owner: object): Promise<void> {
  opened.delete(owner);
  await Reflect.apply(work, owner, []);
}

function guardAll(kind: "handle" | "dir", target: object): object {
  if (kind === "handle" && fate !== undefined) opened.add(target);
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (kind === "dir" && key === Symbol.asyncIterator) return () => guardEntries(target, value as Work);
      return typeof key === "string" ? guard(`${kind}.${key}`, value as Work, target) : (value as Work).bind(target);
    },
  });
}

async function* guardEntries(owner: object, iterate: Work): AsyncGenerator<unknown, void> {
  for await (const entry of Reflect.apply(iterate, owner, []) as AsyncIterable<unknown>) {
    const errno = ask("dir.read");
    if (errno !== undefined) throw Object.assign(new Error(`${errno}: injected`), { code: errno, syscall: "scandir" });
    yield entry;
  }
}
