import { definitionHash, toCanonicalJson, type JsonObject, type ToolSpec, type WorkspaceRoots } from "@aiw/core";
import { placeOf } from "../call/workspace-of-call.ts";

/** All that an approval is given for. */
export interface ApprovedFacts {
  readonly toolId: string;
  readonly spec: ToolSpec;
  readonly input: JsonObject;
  readonly workspace: WorkspaceRoots | undefined;
}

/** Says in one text what an approval is for; any change of tool, definition, arguments or folders changes it (SEC-APR-1). */
export async function bindApproval({ toolId, spec, input, workspace }: ApprovedFacts): Promise<string> {
  return toCanonicalJson([toolId, await definitionHash(spec), input, ...placeOf(workspace)]);
}
