import { judgePaths } from "./judge-paths.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { Reading } from "./read-word.ts";
import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { readFindScope } from "./unwrap-find.ts";
import { ask, unsafe, type Finding } from "./verdict.ts";

const ALONE =
  /^(-not|-a|-and|-o|-or|!|\(|\)|,|-print|-print0|-prune|-empty|-ls|-depth|-d|-mount|-xdev|-true|-false|-quit|-readable|-writable|-executable|-daystart|-nouser|-nogroup|-noleaf)$/;
const WITH_TEXT =
  /^-(i?name|i?path|i?wholename|i?regex|regextype|i?lname|type|xtype|maxdepth|mindepth|size|[acm]time|[acm]min|perm|user|group|uid|gid|links|inum|used|printf|newermt)$/;
const WITH_PATH = /^-(newer|anewer|cnewer|samefile)$/;

/** Undefined when a `find` only looks; tests and actions are allowed by list, and links are not followed. */
export function judgeFind(command: SimpleCommand, context: PolicyContext): Finding | undefined {
  const { starts } = readFindScope(command);
  const args = getArguments(command);
  const paths = [...starts];
  for (let at = args[0] === starts[0] ? starts.length : 0; at < args.length; at += 1) {
    const taken = takeExpression(args[at], args[at + 1]);
    if ("finding" in taken) return taken.finding;
    if (taken.path !== undefined) paths.push(taken.path);
    at += taken.skip;
  }
  return judgePaths(paths, command, context);
}

type Taken = { readonly skip: 0 | 1; readonly path?: Reading } | { readonly finding: Finding };

/** One test or action, and the argument it has. */
function takeExpression(arg: Reading | undefined, next: Reading | undefined): Taken {
  if (arg?.value === undefined || arg.glob) return { finding: dynamic(arg) };
  if (ALONE.test(arg.value)) return { skip: 0 };
  const isPath = WITH_PATH.test(arg.value);
  if (!isPath && !WITH_TEXT.test(arg.value)) {
    return { finding: unsafe("unknown_option", `find ${arg.text} is not known to be read-only`) };
  }
  // An unquoted pattern becomes several words when it matches here.
  if (next?.value === undefined || next.glob) return { finding: dynamic(next ?? arg) };
  return isPath ? { skip: 1, path: next } : { skip: 1 };
}

function dynamic(arg: Reading | undefined): Finding {
  return ask("dynamic_argument", `${arg?.text ?? ""} is only known at run time`);
}
