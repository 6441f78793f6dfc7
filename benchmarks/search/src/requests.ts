import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, type CollectedTool } from "./corpus.ts";

/** What somebody asks for, and the tools that truly do it. */
export interface Request {
  readonly request: string;
  /** `typo`: misspelt; `synonym`: in words that the tool does not use; `vague`: a situation, not an instruction. */
  readonly kind: "plain" | "vague" | "typo" | "synonym";
  /** Nothing is tuned on the held-out half. */
  readonly half: "tuning" | "held_out";
  readonly accept: readonly string[];
}

/** Reads the requests. @throws Error for one whose tools were not collected: its recall could not be measured. */
export async function readRequests(tools: readonly CollectedTool[]): Promise<Request[]> {
  const requests = JSON.parse(await readFile(join(ROOT, "requests.json"), "utf8")) as Request[];
  const ids = new Set(tools.map(({ id }) => id));
  const lost = requests.flatMap(({ accept }) => accept.filter((id) => !ids.has(id)));
  if (lost.length > 0) throw new Error(`Not collected: ${lost.join(", ")}`);
  return requests;
}
