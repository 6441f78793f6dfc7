import { isRecord } from "../schema/is-record.ts";
import type { AiwConfig } from "./aiw-config.ts";

import { CONFIG_SCHEMA } from "./config-schema.ts";
import type { KeyMerge, KeySchema } from "./keys/key-schema.ts";

type Merge = (code: unknown, file: unknown) => unknown;

/** Lays configuration given in code over that of the project's file, each key as its table says. */
export function mergeConfigs(code: AiwConfig, file: AiwConfig): AiwConfig {
  return mergeKey(CONFIG_SCHEMA, code, file) as AiwConfig;
}

function mergeKey(schema: KeySchema, code: unknown, file: unknown): unknown {
  if (code === undefined) return file;
  if (file === undefined) return code;
  const rule = schema["x-aiw-merge"];
  return rule === undefined ? mergeProperties(schema, code, file) : MERGES[rule](code, file);
}

function mergeProperties({ properties = {} }: KeySchema, code: unknown, file: unknown): unknown {
  return joinMembers(code, file, (ofCode, ofFile, key) => mergeKey(properties[key] ?? {}, ofCode, ofFile));
}

/** Values that nobody's other word takes back. */
const STRICT: ReadonlySet<unknown> = new Set([true, "error"]);

const MERGES: { readonly [rule in KeyMerge]: Merge } = {
  replace: (code) => code,
  union: (code, file) => [...new Set([...toList(code), ...toList(file)])],
  append: (code, file) => [...toList(code), ...toList(file)],
  members: (code, file) => joinMembers(code, file, (ofCode) => ofCode),
  options: (code, file) => joinMembers(code, file, (ofCode, ofFile) => joinMembers(ofCode, ofFile, (option) => option)),
  strictest: (code, file) => (STRICT.has(code) ? code : file),
};

/** Joins two maps; members that both have are decided, names of prototypes are names. */
function joinMembers(
  code: unknown,
  file: unknown,
  decide: (ofCode: unknown, ofFile: unknown, key: string) => unknown,
): Record<string, unknown> {
  const [first, second] = [toMap(code), toMap(file)];
  const keys = new Set([...second.keys(), ...first.keys()]);
  return Object.fromEntries(
    [...keys].map((key) => {
      const [ofCode, ofFile] = [first.get(key), second.get(key)];
      if (ofCode === undefined) return [key, ofFile];
      return [key, ofFile === undefined ? ofCode : decide(ofCode, ofFile, key)];
    }),
  );
}

function toMap(value: unknown): Map<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : []);
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
