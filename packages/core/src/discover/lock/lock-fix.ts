import * as path from "node:path";
import type { Finding } from "../../register/discovery-report.ts";
import type { PackageRecord } from "../read/read-package.ts";

/** The way out of what nobody installed. */
export const LOOK_AND_LOCK = "Look at it, then run: aiw lock";

/** The ways out of an installed package that is another one than was pinned. */
export const INSTALL_OR_LOCK = "Install it again as it was pinned, or look at it, then run: aiw lock";

const GENERAL: readonly string[] = [INSTALL_OR_LOCK, LOOK_AND_LOCK];

/** Errors name so many fixes; the findings have all. */
const MAX_FIXES = 3;

/** Names the way out for one package: a folder of `aiw dev` is gone when that ends, and nothing would keep what was pinned. */
export function toLockFix({ dir }: Pick<PackageRecord, "dir">, fix: string): string {
  const isServed = `${path.resolve(dir)}${path.sep}`.includes(
    `${path.sep}${path.join("node_modules", ".aiw-dev")}${path.sep}`,
  );
  return isServed ? "Try what aiw dev serves in a project without aiw.lock, or install its package and pin that." : fix;
}

/** Names the ways out of all findings: what mends a package comes before what pins it. */
export function toLockFixes(findings: readonly Pick<Finding, "package" | "fix">[]): string {
  const fixes = new Set(findings.map(({ fix }) => fix));
  const own = [...fixes].filter((fix) => !GENERAL.includes(fix));
  const mended = new Set(findings.filter(({ fix }) => own.includes(fix)).map((one) => one.package));
  const rest = findings.filter((one) => !mended.has(one.package)).map(({ fix }) => fix);
  const general = GENERAL.find((fix) => rest.includes(fix));
  const all = [...own.slice(0, MAX_FIXES), ...(general === undefined ? [] : [general])];
  return all.length === 0 ? LOOK_AND_LOCK : all.join(" ");
}
