import type { Command } from "./command.ts";
import { list } from "./commands/list.ts";

/** Every command with its line of the overview; its code is read when it is asked for. */
export const COMMANDS = {
  list: {
    summary: "Tools of the project, without running their code",
    // Nearly all it needs serves the others too, so it comes with the first file.
    load: (): Promise<Command> => Promise.resolve(list),
  },
  info: {
    summary: "What one tool does, takes and may touch",
    load: async (): Promise<Command> => (await import("./commands/info.ts")).info,
  },
  search: {
    summary: "Tools that fit a description",
    load: async (): Promise<Command> => (await import("./commands/search.ts")).search,
  },
  why: {
    summary: "Why a tool or package is there, hidden or missing",
    load: async (): Promise<Command> => (await import("./commands/why.ts")).why,
  },
  call: { summary: "Calls a tool", load: async (): Promise<Command> => (await import("./commands/call.ts")).call },
  definitions: {
    summary: "Definitions as a model gets them",
    load: async (): Promise<Command> => (await import("./commands/definitions.ts")).definitions,
  },
  prompt: {
    summary: "The prompt's text on every tool",
    load: async (): Promise<Command> => (await import("./commands/prompt.ts")).prompt,
  },
  init: {
    summary: "Writes a configuration file to start from",
    load: async (): Promise<Command> => (await import("./commands/init.ts")).init,
  },
  add: {
    summary: "Installs tool packages after showing what they declare",
    load: async (): Promise<Command> => (await import("./commands/add.ts")).add,
  },
  remove: {
    summary: "Uninstalls tool packages and takes their pins out",
    load: async (): Promise<Command> => (await import("./commands/remove.ts")).remove,
  },
  trust: {
    summary: "What the project's own files may allow and run",
    load: async (): Promise<Command> => (await import("./commands/trust.ts")).trust,
  },
  check: {
    summary: "Whether a tool package is fit to publish",
    load: async (): Promise<Command> => (await import("./commands/check.ts")).check,
  },
  lock: {
    summary: "Pins what tools say and run",
    load: async (): Promise<Command> => (await import("./commands/lock.ts")).lock,
  },
  audit: {
    summary: "The record of calls: who called what, and what became of it",
    load: async (): Promise<Command> => (await import("./commands/audit.ts")).audit,
  },
  undo: {
    summary: "Takes back what tools changed in files, also later",
    load: async (): Promise<Command> => (await import("./commands/undo.ts")).undo,
  },
  build: {
    summary: "Writes the static manifest of a tool package",
    load: async (): Promise<Command> => (await import("./commands/build.ts")).build,
  },
  dev: {
    summary: "Serves a tool package under development to an agent",
    load: async (): Promise<Command> => (await import("./commands/dev.ts")).dev,
  },
  doctor: {
    summary: "What was found, what was not and why, and fixes",
    load: async (): Promise<Command> => (await import("./commands/doctor.ts")).doctor,
  },
} as const;

/** Loads a command by name. */
export async function findCommand(name: string): Promise<Command | undefined> {
  return isCommandName(name) ? COMMANDS[name].load() : undefined;
}

function isCommandName(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}
