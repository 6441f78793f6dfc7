import { homedir } from "node:os";
import * as path from "node:path";

/**
 * The folder that keeps what tools need for taking changes back: `AIW_STATE_HOME`, else `aiw` in the system's folder for state.
 * A relative value names no place of its own and is passed over.
 */
export function findStateFolder(
  environment: { readonly [name: string]: string | undefined } = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const style = platform === "win32" ? path.win32 : path.posix;
  const own = environment["AIW_STATE_HOME"] ?? "";
  if (style.isAbsolute(own)) return style.resolve(own);
  const configured = environment[platform === "win32" ? "LOCALAPPDATA" : "XDG_STATE_HOME"] ?? "";
  if (style.isAbsolute(configured)) return style.join(configured, "aiw");
  const named = environment[platform === "win32" ? "USERPROFILE" : "HOME"] ?? "";
  const home = style.isAbsolute(named) ? named : homedir();
  return style.join(home, ...(platform === "win32" ? ["AppData", "Local"] : [".local", "state"]), "aiw");
}
