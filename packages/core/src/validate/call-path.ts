import { cut } from "../schema/show-value.ts";

const MAX_PATH_LENGTH = 120;

/** Writes a path the way a call names it: `edits[0].old_text`; the root is `arguments`. */
export function toCallPath(path: readonly (string | number)[], root = "arguments"): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += text === "" ? `${root}[${segment}]` : `[${segment}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(segment)) text += text === "" ? segment : `.${segment}`;
    else text += `${text === "" ? root : ""}[${JSON.stringify(segment)}]`;
    if (text.length > MAX_PATH_LENGTH) return cut(text, MAX_PATH_LENGTH);
  }
  return text === "" ? root : text;
}
