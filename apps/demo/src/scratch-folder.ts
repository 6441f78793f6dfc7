import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** A folder of one run, outside the repository it looks at. */
export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
  /** Where the report goes. */
  readonly report: string;
  /** Where calls are recorded. */
  readonly record: string;
  /** Something to delete that nobody will miss. */
  readonly spare: string;
}

/** Makes the folder; disposing of it leaves a report and a record of calls, or nothing. */
export async function createScratchFolder(): Promise<ScratchFolder> {
  // The real path: policy rules and the workspace compare paths without links.
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "aiw-demo-")));
  const report = path.join(folder, "report.md");
  const record = path.join(folder, "audit.jsonl");
  const spare = path.join(folder, "spare.txt");
  await writeFile(spare, "This file is here to be deleted, if you say yes.\n");
  return {
    path: folder,
    report,
    record,
    spare,
    async [Symbol.asyncDispose]() {
      const isLeft = existsSync(report) || existsSync(record);
      await rm(isLeft ? spare : folder, { recursive: true, force: true });
    },
  };
}
