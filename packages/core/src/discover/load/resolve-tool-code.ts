import * as path from "node:path";
import type { ToolCode } from "../../contract/tool-source.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { Refusal } from "../read/read-declaration.ts";
import { checkModule } from "./import-entry.ts";
import type { ToolLocation } from "./load-tool.ts";

/** Says where a tool's code is, for a process that will import it in place of this one. */
export function resolveToolCode(location: ToolLocation, fs: DiscoveryFileSystem): ToolCode | Refusal {
  const { packageKey, version, dir, realDir, module, pin } = location;
  const refusal = checkModule(location, path.join(dir, module), fs);
  if (refusal !== undefined) return refusal;
  return Object.freeze({
    packageKey,
    ...(version !== undefined && { version }),
    directory: dir,
    realDirectory: realDir,
    module,
    export: location.export,
    ...(pin && { pinned: { files: Object.fromEntries(pin.files), isWhole: pin.isWhole } }),
  });
}
