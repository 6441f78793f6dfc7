import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** A folder of one run, outside the repository it looks at. */
export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
  /** Where the report goes. */
  readonly report: string;
  /** Something to delete that nobody will miss. */
  readonly spare: string;
}

/** Makes the folder; disposing of it removes it unless it holds a report. */
export async function createScratchFolder(): Promise<ScratchFolder> {
  // The real path: policy rules and the workspace compare paths without links.
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "aiw-demo-")));
  const report = path.join(folder, "report.md");
  const spare = path.join(folder, "spare.txt");
  await writeFile(spare, "This file is here to be deleted, if you say yes.\n");
  return {
    path: folder,
    report,
    spare,
    async [Symbol.asyncDispose]() {
      if (existsSync(report)) await rm(spare, { force: true });
      else await rm(folder, { recursive: true, force: true });
    },
  };
}
