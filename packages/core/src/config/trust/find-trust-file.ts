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
    return style.isAbsolute(own) ? { file } : { file, problem: relativeProblem("AIW_CONFIG_HOME", own) };
  }
  const named = platform === "win32" ? "APPDATA" : "XDG_CONFIG_HOME";
  const configured = environment[named] ?? "";
  if (style.isAbsolute(configured)) return { file: style.join(configured, "aiw", "trust.json") };
  const variable = platform === "win32" ? "USERPROFILE" : "HOME";
  const home = environment[variable] || homedir();
  const file = style.join(home, ...(platform === "win32" ? ["AppData", "Roaming"] : [".config"]), "aiw", "trust.json");
  return style.isAbsolute(home) ? { file } : { file, problem: relativeProblem(variable, home) };
}

/** Relative to a working directory means relative to some project, most of the time. */
function relativeProblem(variable: string, value: string): TrustProblem {
  return {
    reason: `${variable} is no absolute path: ${JSON.stringify(value)}.`,
    fix: "Set AIW_CONFIG_HOME to the absolute path of a folder of your own.",
  };
}
