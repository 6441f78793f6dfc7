import type { Tool } from "../../contract/tool.ts";
import type { ToolCode } from "../../contract/tool-source.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { createFinding } from "../../register/create-finding.ts";
import { nodePorts } from "../discovery-ports.ts";
import { isRefusal } from "../read/read-declaration.ts";
import { loadTool } from "./load-tool.ts";
import { ModuleLoader } from "./module-loader.ts";

const modules = new ModuleLoader();

/**
 * Imports a tool's code into this process and binds it to the definition that was listed, as discovery does; of pinned code
 * nothing is loaded that is not as it is pinned.
 * @throws AiwError `load_failed`
 */
export async function loadToolCode(code: ToolCode, spec: ToolSpec): Promise<Tool> {
  const { packageKey, version, directory, realDirectory, module, pinned } = code;
  if (pinned !== undefined) {
    const { verifyLoading } = await import("../lock/verify-loading.ts");
    verifyLoading(realDirectory, [{ ...pinned, packageKey, dir: directory, realDir: realDirectory }]);
  }
  const location = { packageKey, version, dir: directory, realDir: realDirectory, module, export: code.export };
  const loaded = await loadTool({ ...location, name: spec.name, spec }, { fs: nodePorts.fs, modules });
  if (!isRefusal(loaded)) return loaded;
  const finding = createFinding({ tool: spec.name, ...loaded, package: packageKey, version, dir: directory });
  const message = `${packageKey}/${spec.name}: ${finding.reason}`;
  throw new AiwError("load_failed", message, { fix: finding.fix, details: { finding } });
}
