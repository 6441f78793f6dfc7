/** What a disk answered, by absolute path. */
export interface CacheContent {
  /** Package.json files in which no tools are declared. */
  readonly ordinary: readonly string[];
  /** Files that were read whole. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that are not there. */
  readonly absent: readonly string[];
  /** Paths with links followed. */
  readonly real: ReadonlyMap<string, string>;
}

/** Raised whenever the file's shape or meaning changes. */
export const CACHE_SCHEMA = 1;

/** Writes what the next process may use under the same key. */
export function serializeCache(key: string, { ordinary, texts, absent, real }: CacheContent): string {
  return JSON.stringify({ schema: CACHE_SCHEMA, key, ordinary, texts: [...texts], absent, real: [...real] });
}

/** Reads what another process wrote under the key; undefined for everything else. */
export function parseCache(text: string, key: string): CacheContent | undefined {
  const value = parse(text);
  if (value?.["schema"] !== CACHE_SCHEMA || value["key"] !== key) return undefined;
  const { ordinary, texts, absent, real } = value;
  if (!isTexts(ordinary) || !isTexts(absent) || !isPairs(texts) || !isPairs(real)) return undefined;
  return { ordinary, absent, texts: new Map(texts), real: new Map(real) };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isPairs(value: unknown): value is [string, string][] {
  return Array.isArray(value) && value.every((item) => isTexts(item) && item.length === 2);
}
