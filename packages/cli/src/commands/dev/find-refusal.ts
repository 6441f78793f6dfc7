import { AiwError, type DiscoveryReport } from "@aiw/core";
import { createTrustStore, listTools, type Environment } from "@aiw/core/node";
import { oneLine } from "../../output/one-line.ts";

/** Why a project is not given the tools that are served, and what to do about it. */
export interface ServedRefusal {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** What is asked: by whom, and for which tools. */
export interface RefusalQuestion {
  /** Where the agent starts. */
  readonly cwd: string;
  /** The agent's, with the folder that is served. */
  readonly environment: Environment;
  /** What ids of the tools that are served begin with. */
  readonly id: string;
}

/**
 * Looks at the project as an agent that starts there would; no tool code runs. A lock, a configuration or the environment may keep
 * out what is served, and the agent itself need not say so.
 */
export async function findRefusal({ cwd, environment, id }: RefusalQuestion): Promise<ServedRefusal | undefined> {
  const where = `An agent in ${oneLine(cwd)} is not given these tools`;
  try {
    const trust = createTrustStore({ environment });
    const { report } = await listTools({ projectDir: cwd, cache: false }, { environment, trust });
    const found = findRefused(report, id);
    return found && { code: found.code, message: `${where}: ${found.reason}`, fix: found.fix };
  } catch (error) {
    if (!AiwError.is(error)) throw error;
    const { code, message, fix = "aiw doctor says more." } = error;
    return { code, message: `${where}: ${message}`, fix };
  }
}

function findRefused(
  { rejected, notEnabled }: DiscoveryReport,
  id: string,
): DiscoveryReport["rejected"][number] | undefined {
  return [...notEnabled, ...rejected].find((one) => one.package === id && one.tool === undefined);
}
