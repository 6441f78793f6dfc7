import type { Json, JsonObject } from "../../contract/json.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import type { CompiledSchema } from "../../schema/compile-schema.ts";
import { formatExampleCall } from "../../schema/example-call.ts";
import { findHiddenText } from "../../schema/hidden-text.ts";
import { sampleInput } from "../../schema/sample/sample-input.ts";
import { cursorAt, descend, isSecret } from "../../schema/schema-cursor.ts";
import { isSecretName } from "../../schema/secret-name.ts";
import { toCallPath } from "../call-path.ts";
import type { Change, Path } from "./change.ts";
import { fitInput } from "./fit-input.ts";
import { isRemark } from "./pair-names.ts";
import { settleInput, type NearestInput } from "./settle-input.ts";
import { tellChanges } from "./tell-changes.ts";

/** A call longer than this is no help in a message. */
const MAX_CALL_LENGTH = 400;

/** Members a note names. */
const MAX_PATHS = 3;

/** Names that a call can be written with. */
const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** Arguments a tool's schema refused. */
export interface RefusedArguments {
  /** As they came. */
  readonly input: JsonObject;
  /** Parameter names whose values no message shows, beside those the schema marks. */
  readonly secretNames: readonly string[];
}

/**
 * Suggests the call that was meant, as far as it can be known: what fits stays, the rest is moved, converted or left out.
 * A sample where nothing of it is known; nothing where even that is refused. No suggestion is ever executed by itself.
 */
export function suggestCall(spec: ToolSpec, compiled: CompiledSchema, refused: RefusedArguments): string | undefined {
  return attempt(() => suggestNearest(spec, compiled, refused)) ?? attempt(() => suggestSample(spec, compiled));
}

function attempt(suggest: () => string | undefined): string | undefined {
  try {
    return suggest();
  } catch {
    return undefined;
  }
}

function suggestNearest(spec: ToolSpec, compiled: CompiledSchema, refused: RefusedArguments): string | undefined {
  const options = { schema: compiled.schema, example: sampleInput(spec) };
  const fit = fitInput(options, refused.input);
  const nearest = fit && settleInput(compiled, options, { input: fit.value as JsonObject, changes: fit.changes });
  if (nearest === undefined || nearest.changes.length === 0) return undefined;
  const has = (kind: Change["kind"]): boolean => nearest.changes.some((change) => change.kind === kind);
  const { destructive } = spec.metadata.effects;
  if (isAllExample(nearest) && !(destructive && has("drop"))) return undefined;
  const isNeeded = (path: Path): boolean => destructive && !isRemark(String(path.at(-1)));
  // Who named something to change is not handed something else to change, nor the same without what held the change back.
  const isRisky = nearest.changes.some(({ kind, path }) =>
    kind === "example" ? destructive : kind === "drop" && isNeeded(path),
  );
  const isHidden = (path: Path): boolean => isSecretPath(compiled, refused, path);
  const call = writeCall(spec, nearest.input);
  if (
    isRisky ||
    call === undefined ||
    nearest.changes.some(({ path }) => isHidden(path)) ||
    holdsSecret(nearest.input, isHidden)
  )
    return tellChanges(nearest.changes, { isSecret: isHidden, isNeeded });
  return `Call it like this${noteOf(nearest.changes)}: ${call}`;
}

/** Nothing that was sent is left, and something would have to be: a whole sample is worth more. */
function isAllExample({ input, changes }: NearestInput): boolean {
  const shown = changes.filter(({ kind, path }) => kind === "example" && path.length === 1);
  return shown.length > 0 && shown.length >= Object.keys(input).length;
}

function suggestSample(spec: ToolSpec, compiled: CompiledSchema): string | undefined {
  const input: JsonObject = structuredClone(sampleInput(spec));
  if (!compiled.check(structuredClone(input))) return undefined;
  const call = formatExampleCall(spec, input);
  return call.length > MAX_CALL_LENGTH ? undefined : `Call it like this: ${call}`;
}

/** The call as it can be sent; undefined where it would be too long or no name could be read. */
function writeCall(spec: ToolSpec, input: JsonObject): string | undefined {
  const isPlain = Object.keys(input).every((name) => PLAIN_NAME.test(name) && findHiddenText(name).length === 0);
  const call = isPlain ? formatExampleCall(spec, input) : "";
  if (call === "" || call.length > MAX_CALL_LENGTH) return undefined;
  const hidden = new Set(findHiddenText(call));
  const shown = Array.from(call, (character) => (hidden.has(character) ? escape(character) : character)).join("");
  return shown.length > MAX_CALL_LENGTH ? undefined : shown;
}

/** Writes a character as JSON escapes it. */
function escape(character: string): string {
  return Array.from({ length: character.length }, (_unit, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}

/** Says what of a call did not come from its sender, and what of his is not in it. */
function noteOf(changes: readonly Change[]): string {
  const pathsOf = (kind: Change["kind"]): string[] => [
    ...new Set(changes.filter((change) => change.kind === kind).map(({ path }) => toCallPath(path))),
  ];
  const shown = pathsOf("example");
  const dropped = pathsOf("drop").filter((path) => !shown.includes(path));
  const parts = [
    ...(dropped.length > 0 ? [`without ${listPaths(dropped)}`] : []),
    ...(shown.length > 0 ? [`${listPaths(shown)} ${shown.length === 1 ? "is an example" : "are examples"}`] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

function listPaths(paths: readonly string[]): string {
  if (paths.length > MAX_PATHS) return `${paths.slice(0, MAX_PATHS).join(", ")} and ${paths.length - MAX_PATHS} more`;
  return paths.length === 1 ? (paths[0] ?? "") : `${paths.slice(0, -1).join(", ")} and ${paths.at(-1)}`;
}

function isSecretPath({ schema }: CompiledSchema, { secretNames }: RefusedArguments, path: Path): boolean {
  let cursor = cursorAt(schema);
  return path.some((key) => {
    cursor = descend(cursor, key);
    return secretNames.includes(String(key)) || isSecretName(String(key)) || isSecret(cursor);
  });
}

function holdsSecret(value: Json, isHidden: (path: Path) => boolean, path: Path = []): boolean {
  if (path.length > 0 && isHidden(path)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]: [string, Json]) =>
    holdsSecret(member, isHidden, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
