/** Modules of Node that are there before any code runs, so that looking at them makes no import quicker. */
const MODULES = ["fs", "fs/promises", "module", "child_process", "events", "timers", "path"] as const;

/** Events whose listeners decide for the whole process: how it ends, and what becomes of mistakes. */
const DECIDES = /^(?:SIG[A-Z0-9]+|uncaughtException|unhandledRejection)$/;

/** Remembers what of Node all code in this process shares; the function names what is different. */
export function watchProcessState(): () => string[] {
  const { umask } = process;
  const [members, listeners, mask] = [listMembers(), countListeners(), umask()];
  return () => {
    const now = listMembers();
    const counts = countListeners();
    return [
      ...[...members].filter(([name, value]) => now.get(name) !== value).map(([name]) => name),
      ...[...counts]
        .filter(([event, count]) => count > (listeners.get(event) ?? 0))
        .map(([event]) => `listeners of ${event}`),
      ...(umask() === mask ? [] : ["process.umask()"]),
    ];
  };
}

/** Functions alone: accessors are made when they are asked for. */
function listMembers(): Map<string, unknown> {
  const members = new Map<string, unknown>();
  for (const name of MODULES) {
    const module: object = process.getBuiltinModule(`node:${name}`);
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(module)))
      if (typeof value === "function") members.set(`node:${name} ${key}`, value);
  }
  return members;
}

function countListeners(): Map<string, number> {
  const events = process.eventNames().filter((event) => typeof event === "string" && DECIDES.test(event));
  return new Map(events.map((event) => [String(event), process.listenerCount(event)]));
}
