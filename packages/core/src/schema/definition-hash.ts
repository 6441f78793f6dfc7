import type { ToolSpec } from "../contract/tool-spec.ts";
import { toCanonicalJson } from "./canonical-json.ts";

const hashes = new WeakMap<ToolSpec, Promise<string>>();
const settled = new WeakMap<ToolSpec, string>();

/** Gives `sha256-` and the base64 SHA-256 of a spec's canonical JSON, `implementation` included. */
export function definitionHash(spec: ToolSpec): Promise<string> {
  const known = hashes.get(spec);
  if (known !== undefined) return known;
  const hash = sha256(toCanonicalJson(spec));
  // A spec that may still change has no hash to remember.
  if (Object.isFrozen(spec)) remember(spec, hash);
  return hash;
}

/** The same, at once for a spec that has been hashed before. */
export function resolveDefinitionHash(spec: ToolSpec): string | Promise<string> {
  return settled.get(spec) ?? definitionHash(spec);
}

function remember(spec: ToolSpec, hash: Promise<string>): void {
  hashes.set(spec, hash);
  hash.then(
    (text) => settled.set(spec, text),
    () => hashes.delete(spec),
  );
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
