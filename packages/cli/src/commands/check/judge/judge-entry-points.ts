import * as path from "node:path";
import type { CheckFinding } from "../scorecard.ts";
import type { CheckSubject, JsonRecord } from "../subject.ts";
import { fail, membersOf, quote, warn, when } from "./finding.ts";

const FILE = "package.json";
const MAX_DEPTH = 10;

interface Target {
  readonly pointer: string;
  readonly path: string;
}

/** What package.json leads to is packed. */
export function judgeEntryPoints({ packed: { packageJson, files } }: CheckSubject): CheckFinding[] {
  const packed = new Set(files.map((file) => file.path));
  const missing = listTargets(packageJson).filter(({ path: target }) => !leadsSomewhere(target, packed));
  const { type } = packageJson;
  const isUnsaid =
    type === undefined && [...packed].some((file) => file.endsWith(".js") && !file.includes("node_modules/"));
  return [
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
  return [...named, ...programs, ...listExports(packageJson["exports"], "/exports", 0)];
}

function listExports(value: unknown, pointer: string, depth: number): Target[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === "string") return value.startsWith("./") ? toTarget(value, pointer) : [];
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
function leadsSomewhere(target: string, packed: ReadonlySet<string>): boolean {
  const file = path.posix.normalize(target);
  const [start = "", end] = file.split("*");
  if (end !== undefined) return [...packed].some((one) => one.startsWith(start) && one.endsWith(end));
  return [file, `${file}.js`, `${file}.json`, path.posix.join(file, "index.js")].some((one) => packed.has(one));
}
