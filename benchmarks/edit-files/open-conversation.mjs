// A conversation of ours whose workspace is one folder.
import { runTool, SessionStore } from "@aiw/core";

/** Gives a function that calls a tool and throws where it fails. */
export async function openConversation(folder) {
  const session = new SessionStore("benchmark");
  const workspace = { cwd: folder, roots: [folder] };
  let calls = 0;
  const environment = () => ({ session, workspace, callId: `call-${(calls += 1)}`, turn: calls });
  return {
    environment,
    async call(tool, input) {
      const result = await runTool(tool, input, environment());
      if (!result.success) throw new Error(result.error);
      return result.value;
    },
    close: async () => await session[Symbol.asyncDispose](),
  };
}
