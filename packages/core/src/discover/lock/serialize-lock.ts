import { compareText } from "../../register/create-finding.ts";
import { LOCK_VERSION, type AiwLock, type LockedPackage, type LockedTool } from "./lock-file.ts";

/**
 * Characters written as escapes, so that whoever reads the file sees them: those that are invisible or turn the reading direction.
 * Ranges, not properties: what a property covers grows with each version of Unicode, and with it the file would change.
 */
export const UNSEEN: RegExp =
  /[\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udbff][\udc00-\udfff]/g;

/**
 * Gives the text of a lock: keys by code unit, two spaces, LF, one at the end; equal locks give equal bytes everywhere.
 * @throws TypeError for what JSON cannot say
 */
export function serializeLock({ packages }: AiwLock): string {
  const value = new Map<string, unknown>([
    ["lockVersion", LOCK_VERSION],
    ["packages", new Map([...packages].map(([key, one]) => [key, toPackage(one)]))],
  ]);
  return `${write(value, "")}\n`;
}

function toPackage({ name, version, content, files, tools }: LockedPackage): Map<string, unknown> {
  return new Map<string, unknown>([
    ["name", name],
    ["version", version],
    ["content", content],
    ["files", files],
    ["tools", new Map([...tools].map(([key, tool]) => [key, toTool(tool)]))],
  ]);
}

function toTool({ definitionHash, module, export: exported, spec }: LockedTool): Map<string, unknown> {
  return new Map<string, unknown>([
    ["definitionHash", definitionHash],
    ["module", module],
    ["export", exported],
    ["spec", spec],
  ]);
}

function write(value: unknown, indent: string): string {
  if (Array.isArray(value)) return writeList(value, indent);
  if (typeof value === "object" && value !== null) return writeMembers(value, indent);
  if (typeof value === "string") return writeText(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  const text = JSON.stringify(value);
  if (typeof text !== "string") throw new TypeError(`JSON has no ${typeof value}`);
  return text;
}

function writeList(list: readonly unknown[], indent: string): string {
  if (list.length === 0) return "[]";
  const deeper = `${indent}  `;
  return `[\n${list.map((item) => deeper + write(item ?? null, deeper)).join(",\n")}\n${indent}]`;
}

/** A plain object would put names that are numbers first. */
function writeMembers(value: object, indent: string): string {
  const entries: [string, unknown][] =
    value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  const members = entries.filter(([, member]) => member !== undefined).toSorted(([a], [b]) => compareText(a, b));
  if (members.length === 0) return "{}";
  const deeper = `${indent}  `;
  const lines = members.map(([key, member]) => `${deeper}${writeText(key)}: ${write(member, deeper)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("JSON text must be well-formed Unicode");
  return JSON.stringify(text).replaceAll(UNSEEN, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}
