import { isRecord } from "../../schema/is-record.ts";
import { quote, toShownText } from "../../register/create-finding.ts";
import type { DiscoveryCode } from "../../register/discovery-codes.ts";
import { parseJson } from "../files/parse-json.ts";
import type { TextRead } from "../files/read-text.ts";
import { MAX_PACKAGE_JSON } from "../find-project.ts";
import type { Refusal } from "./read-declaration.ts";

/** Under which name the project has a package. */
export interface NamedPackage {
  readonly key: string;
  /** As the project wrote it; absent for the project itself and packages that only configuration names. */
  readonly range: string | undefined;
  /** Something the project installed, the project itself, or what lies in a directory of tools. */
  readonly source: "package" | "project" | "directory";
}

/** Parses the package.json of a package that declares tools; undefined for every other package. */
export function readPackageJson(read: TextRead): { readonly content: Record<string, unknown> } | Refusal | undefined {
  const wrong = (code: DiscoveryCode, reason: string): Refusal => ({
    code,
    reason: `package.json ${reason}.`,
    fix: "Correct package.json.",
  });
  switch (read.kind) {
    case "failed":
      return wrong("package_json_unreadable", `cannot be read (${read.errno})`);
    case "too_large":
      return wrong("package_json_too_large", `is larger than ${MAX_PACKAGE_JSON} bytes`);
    case "not_utf8":
      return wrong("package_json_invalid", "is not UTF-8");
    case "unmarked":
      return read.empty
        ? { ...wrong("package_json_invalid", "is empty, or no regular file"), isUnparsable: true }
        : undefined;
    case "text": {
      const parsed = parseJson(read.text);
      if (parsed.error !== undefined)
        return { ...wrong("package_json_invalid", `is not JSON, ${parsed.error}`), isUnparsable: true };
      if (!isRecord(parsed.value)) return wrong("package_json_invalid", `must be an object, is ${quote(parsed.value)}`);
      return Object.hasOwn(parsed.value, "aiwhisperer") ? { content: parsed.value } : undefined;
    }
  }
}

/** The version a package.json says, for people and for comparison. */
export function toShownVersion(version: unknown): string {
  return typeof version === "string" ? toShownText(version) : "0.0.0";
}

/** A registry range promises the package of that name; every other kind may bring another. */
export function checkName({ key, range, source }: NamedPackage, name: unknown): Refusal | undefined {
  if (source !== "package" || typeof name !== "string" || name === key) return undefined;
  if (range === undefined || !isFromRegistry(range)) {
    return {
      code: "alias",
      reason: `${key} is the package ${quote(name)}.`,
      fix: `Nothing to do: its tools are ${key}/….`,
    };
  }
  return {
    code: "package_name_mismatch",
    pointer: "/name",
    reason: `The package installed as ${key} calls itself ${quote(name)}.`,
    fix: "Install it under its own name.",
  };
}

/** True for a range of versions; aliases, links, folders and URLs bring what a registry may give to somebody else's package. */
export function isFromRegistry(range: string): boolean {
  return !/[:/]/.test(range.replace(/^catalog:/, ""));
}
