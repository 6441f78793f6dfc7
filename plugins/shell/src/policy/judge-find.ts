import { judgePaths } from "./judge-paths.ts";
import type { PolicyContext } from "./policy-context.ts";
import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { readFindScope } from "./unwrap-find.ts";
import { ask, unsafe, type Finding } from "./verdict.ts";

const ALONE = /^(-not|-a|-and|-o|-or|!|\(|\)|,|-print|-print0|-prune|-empty|-ls|-depth|-d|-mount|-xdev|-true|-false|-quit|-readable|-writable|-executable|-daystart|-nouser|-nogroup|-noleaf)$/;
const WITH_TEXT = /^-(i?name|i?path|i?wholename|i?regex|regextype|i?lname|type|xtype|maxdepth|mindepth|size|[acm]time|[acm]min|perm|user|group|uid|gid|links|inum|used|printf|newermt)$/;
const WITH_PATH = /^-(newer|anewer|cnewer|samefile)$/;

/** Undefined when a `find` only looks; tests and actions are allowed by list, and links are not followed. */
export function judgeFind(command: SimpleCommand, context: PolicyContext): Finding | undefined {
  const { starts } = readFindScope(command);
  const args = getArguments(command);
  const paths = [...starts];
  for (let at = args.findIndex((arg) => arg === starts[0]) === 0 ? starts.length : 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg?.value === undefined || arg.glob) return ask("dynamic_argument", `${arg?.text ?? ""} is only known at run time`);
    if (ALONE.test(arg.value)) continue;
    const next = args[at + 1];
    if (!WITH_TEXT.test(arg.value) && !WITH_PATH.test(arg.value)) {
      return unsafe("unknown_option", `find ${arg.text} is not known to be read-only`);
    }
    // An unquoted pattern becomes several words when it matches here.
    if (next?.value === undefined || next.glob) return ask("dynamic_argument", `${next?.text ?? arg.text} is only known at run time`);
    if (WITH_PATH.test(arg.value)) paths.push(next);
    at += 1;
  }
  return judgePaths(paths, command, context);
}
