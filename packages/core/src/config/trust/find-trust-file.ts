import { homedir } from "node:os";
import * as path from "node:path";
import type { Environment } from "../resolve-secrets.ts";
import type { TrustProblem } from "./trust-store.ts";

/** Where a user's own records lie; a problem when the environment names a place that is none. */
export function findTrustFile(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): { readonly file: string; readonly problem?: TrustProblem } {
  const own = environment["AIW_CONFIG_HOME"];
  const style = platform === "win32" ? path.win32 : path.posix;
  if (own !== undefined && own !== "") {
    const file = style.join(own, "trust.json");
    if (style.isAbsolute(own)) return { file };
    // Relative to a working directory means relative to some project, most of the time.
    const reason = `AIW_CONFIG_HOME is no absolute path: ${JSON.stringify(own)}.`;
    return { file, problem: { reason, fix: "Set AIW_CONFIG_HOME to the absolute path of a folder of your own." } };
  }
  const home = environment[platform === "win32" ? "USERPROFILE" : "HOME"] || homedir();
  if (platform === "win32") {
    const roaming = environment["APPDATA"] || style.join(home, "AppData", "Roaming");
    return { file: style.join(roaming, "aiw", "trust.json") };
  }
  const configured = environment["XDG_CONFIG_HOME"] ?? "";
  const base = style.isAbsolute(configured) ? configured : style.join(home, ".config");
  return { file: style.join(base, "aiw", "trust.json") };
}
