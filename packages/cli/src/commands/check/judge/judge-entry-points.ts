import * as path from "node:path";
import type { CheckFinding } from "../scorecard.ts";
import type { CheckSubject, JsonRecord } from "../subject.ts";
import { fail, membersOf, quote, warn, when } from "./finding.ts";

const FILE = "package.json";
const MAX_DEPTH = 10;

interface Target {
  readonly pointer: string;
  readonly path: string;
  /** Nothing is added to find it. */
  readonly isExact?: boolean;
}

/** What package.json leads to is packed. */
export function judgeEntryPoints({ packed: { packageJson, files } }: CheckSubject): CheckFinding[] {
  const packed = new Set(files.map((file) => file.path));
  const targets = listTargets(packageJson);
  const wrong = targets.filter(({ path: target, isExact }) => isExact && !target.startsWith("./"));
  const missing = targets.filter((target) => !wrong.includes(target) && !leadsSomewhere(target, packed));
  const { type } = packageJson;
  const isUnsaid =
    type === undefined && [...packed].some((file) => file.endsWith(".js") && !file.includes("node_modules/"));
  return [
    ...wrong.map(({ pointer, path: target }) =>
      fail({
        file: FILE,
        pointer,
        reason: `${quote(target)} does not begin with "./", and Node refuses it.`,
        fix: `Write ${quote(`./${target.replace(/^\/+/, "")}`)}.`,
      }),
    ),
    ...missing.map(({ pointer, path: target }) =>
      fail({
        file: FILE,
        pointer,
        reason: `${quote(target)} is not packed.`,
        fix: `Build it, add its folder to "files", or correct ${pointer}.`,
      }),
    ),
    ...when(
      !(type === undefined || type === "module" || type === "commonjs"),
      fail({
        file: FILE,
        pointer: "/type",
        reason: `${quote(type)} is no type of modules.`,
        fix: 'Write "type": "module".',
      }),
    ),
    ...when(
      isUnsaid,
      warn({
        file: FILE,
        pointer: "/type",
        reason: "Node has to guess what kind of modules its .js files are.",
        fix: 'Write "type": "module", or "commonjs".',
      }),
    ),
  ];
}

function listTargets(packageJson: JsonRecord): Target[] {
  const named = ["main", "module", "types", "typings"].flatMap((field) => toTarget(packageJson[field], `/${field}`));
  const { bin } = packageJson;
  const programs =
    typeof bin === "string"
      ? toTarget(bin, "/bin")
      : membersOf(bin).flatMap(([name, value]) => toTarget(value, `/bin/${name}`));
  // What stands in `imports` may be a package.
  const own = listExports(packageJson["imports"], "/imports", 0).filter(({ path: one }) => one.startsWith("./"));
  return [...named, ...programs, ...listExports(packageJson["exports"], "/exports", 0), ...own];
}

function listExports(value: unknown, pointer: string, depth: number): Target[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === "string") return [{ pointer, path: value, isExact: true }];
  if (Array.isArray(value))
    return value.slice(0, 1).flatMap((one: unknown) => listExports(one, `${pointer}/0`, depth + 1));
  return membersOf(value).flatMap(([key, inner]) => {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return listExports(inner, at, depth + 1);
  });
}

function toTarget(value: unknown, pointer: string): Target[] {
  return typeof value === "string" && value !== "" ? [{ pointer, path: value }] : [];
}

/** A pattern leads somewhere when any file begins and ends as it does; `main` may leave its ending out. */
function leadsSomewhere({ path: target, isExact }: Target, packed: ReadonlySet<string>): boolean {
  const file = path.posix.normalize(target);
  const [start = "", end] = file.split("*");
  if (end !== undefined) return [...packed].some((one) => one.startsWith(start) && one.endsWith(end));
  if (isExact === true) return packed.has(file);
  return [file, `${file}.js`, `${file}.json`, path.posix.join(file, "index.js")].some((one) => packed.has(one));
}
